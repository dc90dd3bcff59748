internal import Diagnostics
internal import EmbeddedPostgres
internal import FileSystem
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime

/// Which database a command uses.
enum DatabaseSource: Sendable {
  /// A server that somebody named, by option or environment.
  case named(DatabaseAddress, url: String)
  /// The cluster of rawmill's own.
  case embedded(EmbeddedPostgres)

  static let environmentName = "RAWMILL_DATABASE_URL"

  /// `--database`, else the environment, else the embedded cluster.
  static func find(_ arguments: ParsedArguments) throws(ProgramError) -> DatabaseSource {
    let option = arguments[CommonOptions.database]
    if let url = option ?? SystemInformation.environment(environmentName), !url.isEmpty {
      do throws(PostgresError) {
        return .named(try DatabaseAddress(url), url: url)
      } catch {
        throw .usage(
          .conflict("\(option == nil ? environmentName : "--database"): \(error.message)")
        )
      }
    }
    return .embedded(
      try wrapping { () throws(EmbeddedPostgresError) in
        EmbeddedPostgres(try ClusterFolder.standard())
      }
    )
  }

  /// The address of the running server; the embedded one is made and started if need be.
  func start(_ log: Log) throws(ProgramError) -> DatabaseAddress {
    switch self {
    case .named(let address, _): return address
    case .embedded(let cluster):
      return try Self.wrapping { () throws(EmbeddedPostgresError) in
        if let address = try cluster.runningAddress() { return address }
        log.info("starting PostgreSQL in \(cluster.folder.root)")
        return try cluster.start()
      }
    }
  }

  /// A queue that is ready for work.
  ///
  /// The schema of the embedded cluster is brought up to date. A named database that has none gets one from
  /// commands that bring work or do it (`makesSchema`): others find nothing there, and a wrong name must not
  /// change somebody's database. A schema that others may be using is not changed without being asked to.
  func openQueue(
    _ log: Log,
    makesSchema: Bool = false
  ) throws(ProgramError) -> (store: JobStore, address: DatabaseAddress) {
    let address = try start(log)
    do throws(JobStoreError) {
      if case .embedded = self {
        try Self.migrate(address, log)
      }
      do throws(JobStoreError) {
        return (try JobStore.open(address), address)
      } catch .schemaMissing where makesSchema {
        try Self.migrate(address, log)
        return (try JobStore.open(address), address)
      }
    } catch {
      throw .database(error)
    }
  }

  private static func migrate(_ address: DatabaseAddress, _ log: Log) throws(JobStoreError) {
    var migrator = Migrator(migrations: try Migration.load(from: MigrationFolder.find()))
    migrator.onMissingRoles = { MissingRoles.warn($0, log) }
    try migrator.migrate(address)
  }

  static func wrapping<Value>(
    _ body: () throws(EmbeddedPostgresError) -> Value
  ) throws(ProgramError) -> Value {
    do throws(EmbeddedPostgresError) {
      return try body()
    } catch {
      throw .database(error)
    }
  }
}

/// Runs queue operations with their error as the program's; a batch or worker that is not there
/// is the caller's.
func wrappingQueue<Value>(
  _ body: () throws(JobStoreError) -> Value
) throws(ProgramError) -> Value {
  do throws(JobStoreError) {
    return try body()
  } catch {
    switch error {
    case .batchMissing, .batchCancelled, .predecessorCancelled, .workerMissing:
      throw .usage(.conflict(error.message))
    default: throw .database(error)
    }
  }
}
