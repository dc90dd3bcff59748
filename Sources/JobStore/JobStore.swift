internal import Digest
internal import JobModel
package import PostgresClient

/// The queue's protocol on one database session.
///
/// Synchronous and blocking, for one thread at a time, as its connection is. A worker has two: one
/// that claims and settles, one for its heartbeat.
package final class JobStore {
  /// What a session is for.
  package enum Role: Sendable {
    /// Claims, results, submissions, questions.
    case queue
    /// Heartbeats: a commit does not wait for the disk, a statement may not take long.
    case heartbeat
    /// A lease held while an original is read once more and replaced.
    case replacement
  }

  /// With which schemas a session may work.
  package enum SchemaAcceptance: Sendable {
    /// The one that this program is written for.
    case current
    /// That, or a newer one: what an older program has begun it may finish, because a migration takes away
    /// nothing that the version before it uses.
    case currentOrNewer
    /// Any, for questions about the database itself.
    case any
  }

  package static let defaultSchema = "rawmill"

  package let connection: PostgresConnection
  /// Canonical texts of the recipes seen so far, by digest; bounded.
  var recipes: [SHA256Digest: RecipeRecord] = [:]
  /// When the beats of open submissions were last seen to change.
  var submissions = SubmissionWatch()
  /// The jitter's source.
  var generator: any RandomNumberGenerator

  /// Uses an open session whose search path is the queue's schema.
  package init(
    connection: PostgresConnection,
    generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.connection = connection
    self.generator = generator
  }

  /// Opens a session on a database whose schema is there and of this program's version.
  package static func open(
    _ address: DatabaseAddress,
    role: Role = .queue,
    applicationName: String = "rawmill",
    schema: String = JobStore.defaultSchema,
    accepting: SchemaAcceptance = .current
  ) throws(JobStoreError) -> JobStore {
    let settings = SessionSettings(
      applicationName: applicationName,
      searchPath: schema,
      statementTimeoutMilliseconds: role == .heartbeat ? 5_000 : 60_000,
      lockTimeoutMilliseconds: role == .heartbeat ? 2_000 : 10_000,
      // Nothing but statements stands in the queue's transactions: a process that is stopped inside one
      // must not hold its locks for longer than others wait for them. A replacement's waits for a file: a
      // large one on a slow share.
      idleInTransactionTimeoutMilliseconds: role == .replacement ? 600_000 : 10_000,
      isCommitDurable: role != .heartbeat,
      isForQueue: true
    )
    let store: JobStore = try wrapping { () throws(PostgresError) in
      JobStore(connection: try PostgresConnection.open(address, settings))
    }
    try Migrator.requireCurrent(store.connection, schema: schema, accepting: accepting)
    return store
  }

  /// The version of the schema now: somebody may have migrated it since the session was opened.
  package func schemaVersion() throws(JobStoreError) -> Int {
    let schema = connection.settings.searchPath ?? Self.defaultSchema
    return try Migrator.version(connection, schema: schema)
  }

  /// Opens the session anew after a failure of the connection.
  package func reconnect() throws(JobStoreError) {
    try wrapping { () throws(PostgresError) in try connection.reconnect() }
  }

  /// Runs `body` in a transaction that is run again after a deadlock or a lock timeout.
  @discardableResult
  func transaction<Value>(
    _ body: () throws(JobStoreError) -> Value
  ) throws(JobStoreError) -> Value {
    var thrown: JobStoreError?
    do throws(PostgresError) {
      return try connection.retryingTransaction { (_) throws(PostgresError) in
        thrown = nil
        do throws(JobStoreError) {
          return try body()
        } catch {
          thrown = error
          if case .postgres(let cause) = error { throw cause }
          // Any error of libpq's kind rolls the transaction back; the real one is in `thrown`.
          throw .outOfMemory
        }
      }
    } catch {
      throw thrown ?? .postgres(error)
    }
  }

  /// Runs one statement.
  @discardableResult
  func query(
    _ statement: SQLStatement,
    _ parameters: [PostgresParameter] = []
  ) throws(JobStoreError) -> PostgresResult {
    do throws(PostgresError) {
      return try connection.query(statement, parameters)
    } catch {
      throw .postgres(error)
    }
  }
}

/// Runs `body` with its error as the store's.
@discardableResult
func wrapping<Value>(
  _ body: () throws(PostgresError) -> Value
) throws(JobStoreError) -> Value {
  do throws(PostgresError) {
    return try body()
  } catch {
    throw .postgres(error)
  }
}
