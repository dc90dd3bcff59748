internal import EmbeddedPostgres
internal import FileSystem
internal import JSON
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime
internal import Synchronization

/// `rawmill database start`: makes the embedded cluster if needed, starts it, applies migrations.
enum DatabaseStartCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("start", "Make rawmill's own PostgreSQL if needed, start it, apply migrations.")
      .flag(CommonOptions.json)
  }

  /// The group of the commands about the database.
  static func group(_ commands: [CommandSyntax]) -> CommandSyntax {
    CommandSyntax("database", "The PostgreSQL of rawmill's own, and the schema of any.")
      .subcommands(commands)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let source = try DatabaseSource.ownCluster()
    _ = try source.openQueue(program.log, makesSchema: true)
    return try DatabaseStatusCommand.report(source, arguments, program)
  }
}

/// `rawmill database stop`: ends the embedded server.
enum DatabaseStopCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("stop", "Stop rawmill's own PostgreSQL; its data stays.")
      .flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    guard case .embedded(let cluster) = try DatabaseSource.ownCluster() else {
      return .internalError
    }
    let ran = try DatabaseSource.wrapping { () throws(EmbeddedPostgresError) in
      try cluster.stop()
    }
    let events = program.events(arguments)
    events.emit("databaseStopped", ["ran": .init(ran)])
    if !events.isEnabled {
      program.standardOutput.writeLine(ran ? "stopped" : "was not running")
    }
    return .success
  }
}

/// `rawmill database status`: does it run, where, and with which schema.
enum DatabaseStatusCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("status", "Say whether the database runs, where, and with which schema.")
      .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    try report(try DatabaseSource.find(arguments), arguments, program)
  }

  static func report(
    _ source: DatabaseSource,
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    var members: [(key: String, value: JSONValue)] = []
    var address: DatabaseAddress?
    switch source {
    case .named(let named, _):
      members.append(("server", "named"))
      address = named
    case .embedded(let cluster):
      members.append(("folder", .init(cluster.folder.root)))
      let status = try DatabaseSource.wrapping { () throws(EmbeddedPostgresError) in
        try cluster.status()
      }
      switch status {
      case .absent: members.append(("server", "absent"))
      case .stopped: members.append(("server", "stopped"))
      case .running(let processID, let isReady):
        members.append(("server", isReady ? "running" : "starting"))
        members.append(("processID", .init(processID)))
      }
      address = try DatabaseSource.wrapping { () throws(EmbeddedPostgresError) in
        try cluster.runningAddress()
      }
      if let connection = address?.connectionInfo {
        members.append(("connection", .string(connection)))
      }
    }
    if let address { members += try schema(address) }
    let events = program.events(arguments)
    if events.isEnabled {
      events.emit("databaseStatus", ["database": .object(members)])
    } else {
      for line in OutlineText.lines(of: .object(members), indent: 0) {
        program.standardOutput.writeLine(line)
      }
    }
    return .success
  }

  private static func schema(
    _ address: DatabaseAddress
  ) throws(ProgramError) -> [(key: String, value: JSONValue)] {
    let migrations = try wrappingQueue { () throws(JobStoreError) in
      try Migrator(migrations: Migration.load(from: MigrationFolder.find())).status(address)
    }
    let applied = migrations.filter(\.isApplied).map(\.version)
    let missing = migrations.filter { !$0.isApplied }.map { "\($0.version) \($0.name)" }
    return [
      ("schemaVersion", .init(applied.max() ?? 0)),
      ("missingMigrations", .array(missing.map { .string($0) })),
    ]
  }
}

/// `rawmill database migrate`: brings the schema up to date.
enum DatabaseMigrateCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("migrate", "Apply the migrations that the database lacks, in order.")
      .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let address = try DatabaseSource.find(arguments).start(program.log)
    let log = program.log
    let missing = Mutex<[String]>([])
    let versions = try wrappingQueue { () throws(JobStoreError) in
      var migrator = Migrator(migrations: try Migration.load(from: MigrationFolder.find()))
      migrator.onWait = { version in
        log.info("migration \(version) lets others pass and waits for its locks again")
      }
      migrator.onMissingRoles = { names in missing.withLock { $0 = names } }
      return try migrator.migrate(address)
    }
    let names = missing.withLock { $0 }
    let events = program.events(arguments)
    events.emit(
      "migrated",
      [
        "versions": .array(versions.map { .init($0) }),
        "missingRoles": .array(names.map { .string($0) }),
      ]
    )
    if !names.isEmpty { MissingRoles.warn(names, log) }
    if !events.isEnabled {
      let list = versions.map(String.init).joined(separator: ", ")
      program.standardOutput.writeLine(
        versions.isEmpty ? "the schema is up to date" : "applied migration \(list)"
      )
    }
    return .success
  }
}

/// `rawmill database grant`: makes the groups of roles and gives them their rights.
enum DatabaseGrantCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("grant", "Make the groups of roles that are missing, and give them their rights.")
      .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let address = try DatabaseSource.find(arguments).start(program.log)
    let missing = try wrappingQueue { () throws(JobStoreError) in
      try Migrator(migrations: Migration.load(from: MigrationFolder.find())).grantRights(address)
    }
    let events = program.events(arguments)
    events.emit("granted", ["missingRoles": .array(missing.map { .string($0) })])
    if !missing.isEmpty {
      program.log.write(.error, "rolesMissing", MissingRoles.text(missing))
    } else if !events.isEnabled {
      program.standardOutput.writeLine("the roles have their rights")
    }
    return missing.isEmpty ? .success : .someFailed
  }
}

extension DatabaseSource {
  /// The embedded cluster, whatever options and environment say.
  static func ownCluster() throws(ProgramError) -> DatabaseSource {
    .embedded(
      try wrapping { () throws(EmbeddedPostgresError) in
        EmbeddedPostgres(try ClusterFolder.standard())
      }
    )
  }
}
