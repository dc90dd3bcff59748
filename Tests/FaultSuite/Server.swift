internal import FileSystem
internal import Glibc
internal import PostgresClient
internal import ProcessControl

/// A PostgreSQL server of the suite's own, which may be stopped, starved, lied to about the time and
/// replaced.
final class Server {
  let folder: FilePath
  let port: Int
  /// The address that it listens on.
  let host: String
  var environment: [String: String?] = [:]
  /// A mount of its own, which ends with it.
  var volume: FilePath?
  /// What its programs are called through: another network namespace.
  private let prefix: [String]
  private static let programs: FilePath? = {
    let base: FilePath = "/usr/lib/postgresql"
    let versions = ((try? base.directoryEntries()) ?? []).compactMap { Int($0.name.displayText) }
    return versions.max().map { base.appending(FilePath("\($0)/bin")) }
  }()
  /// Root's server runs as another user.
  static let identity: (user: UInt32, group: UInt32)? = {
    guard geteuid() == 0 else { return nil }
    // The answer lies in static memory of the C library; it is copied at once.
    guard let entry = unsafe getpwnam("postgres") else { return nil }
    return unsafe (entry.pointee.pw_uid, entry.pointee.pw_gid)
  }()

  private init(folder: FilePath, port: Int, host: String, prefix: [String] = []) {
    self.prefix = prefix
    self.folder = folder
    self.port = port
    self.host = host
  }

  deinit {
    try? stop("immediate")
    if let volume { Bench.unmount(volume) }
  }

  var data: FilePath { folder.appending("data") }
  private var log: FilePath { folder.appending("log") }

  static func program(_ name: String) throws -> FilePath {
    guard let programs else { throw SuiteError.skipped("no PostgreSQL server is installed") }
    return programs.appending(FilePath(name))
  }

  /// Makes a cluster below `folder`, which must be empty or absent, and starts it.
  static func create(
    _ folder: FilePath,
    host: String = "127.0.0.1",
    settings: String = "",
    smallSegments: Bool = false,
    prefix: [String] = []
  ) throws -> Server {
    let server = Server(folder: folder, port: try freePort(), host: host, prefix: prefix)
    try server.own()
    try Shell.require(
      program("initdb"),
      [
        "-D", server.data.displayText, "--username", "rawmill", "--encoding", "UTF8", "--locale",
        "C",
        "--auth", "trust", "--no-sync",
      ] + (smallSegments ? ["--wal-segsize", "1"] : []),
      identity: identity
    )
    try append(
      """

      listen_addresses = '\(host)'
      port = \(server.port)
      unix_socket_directories = ''
      max_connections = 60
      shared_buffers = '64MB'
      autovacuum_naptime = '5s'
      jit = off
      timezone = 'UTC'
      log_timezone = 'UTC'
      \(settings)

      """,
      to: server.data.appending("postgresql.conf")
    )
    try append(
      "host all all all trust\nhost replication all all trust\n",
      to: server.data.appending("pg_hba.conf")
    )
    try server.start()
    return server
  }

  /// A standby that follows this server.
  func standby(_ folder: FilePath) throws -> Server {
    let server = Server(folder: folder, port: try Self.freePort(), host: host)
    try server.own()
    try Shell.require(
      Self.program("pg_basebackup"),
      [
        "-D", server.data.displayText, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d",
        "postgresql://rawmill@\(host):\(port)/postgres",
      ],
      identity: Self.identity
    )
    try Self.append("\nport = \(server.port)\n", to: server.data.appending("postgresql.conf"))
    try server.start()
    return server
  }

  private func own() throws {
    try folder.createDirectories(permissions: 0o755)
    guard let identity = Self.identity else { return }
    guard unsafe chown(folder.displayText, identity.user, identity.group) == 0 else {
      throw SuiteError.system(call: "chown", errorNumber: errno)
    }
  }

  private static func append(_ text: String, to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o600))
    try file.write(Array(text.utf8), at: try file.status().size)
  }

  /// A port that nobody listens on now.
  static func freePort() throws -> Int {
    let socket = try NetworkSocket.listening(host: "127.0.0.1", port: 0)
    defer { socket.close() }
    return try socket.localPort()
  }

  func start() throws {
    var arguments = [
      try Self.program("pg_ctl").displayText, "start", "-w", "-t", "60", "-s", "-D",
      data.displayText,
      "-l", log.displayText,
    ]
    var identity = Self.identity
    if !prefix.isEmpty, let user = identity {
      // Only root enters a namespace; the programs run as the server's user behind it.
      arguments =
        prefix + [
          "setpriv", "--reuid", "\(user.user)", "--regid", "\(user.group)", "--clear-groups",
        ]
        + arguments
      identity = nil
    }
    let output = try Shell.run(
      "/usr/bin/env",
      arguments,
      environment: environment,
      identity: identity
    )
    guard output.exit.isSuccess else {
      let text = (try? log.readAll()).map { String(decoding: $0.suffix(800), as: UTF8.self) } ?? ""
      throw SuiteError.commandFailed("pg_ctl start", output: output.text + text)
    }
  }

  /// Stops the server: `fast`, or `immediate`, which is a crash.
  func stop(_ mode: String) throws {
    _ = try Shell.run(
      Self.program("pg_ctl"),
      ["stop", "-w", "-t", "60", "-s", "-m", mode, "-D", data.displayText],
      identity: Self.identity
    )
  }

  /// Makes a standby the primary.
  func promote() throws {
    try Shell.require(
      Self.program("pg_ctl"),
      ["promote", "-w", "-t", "60", "-s", "-D", data.displayText],
      identity: Self.identity
    )
  }

  /// The end of what the server said.
  func logTail() throws -> [UInt8] { Array(try log.readAll().suffix(20_000)) }

  /// Processor time of the server's processes so far, those that have ended included.
  func processorTime() throws -> Duration {
    let text = String(decoding: try data.appending("postmaster.pid").readAll(), as: UTF8.self)
    guard let first = text.split(separator: "\n").first, let postmaster = Int32(first) else {
      return .zero
    }
    var ticks: Int64 = 0
    for entry in try FilePath("/proc").directoryEntries() {
      guard let id = Int32(entry.name.displayText),
        let file = try? FileDescriptor.open(FilePath("/proc/\(id)/stat"), .read),
        let bytes = try? file.read(count: 4_096)
      else { continue }
      let stat = String(decoding: bytes, as: UTF8.self)
      guard let end = stat.lastIndex(of: ")") else { continue }
      let fields = stat[end...].split(separator: " ").map { Int64($0) ?? 0 }
      guard fields.count > 14, id == postmaster || fields[2] == Int64(postmaster) else { continue }
      // utime, stime and, for the postmaster, those of children that ended.
      ticks += fields[12] + fields[13]
      if id == postmaster { ticks += fields[14] + fields[15] }
    }
    return .milliseconds(10 * ticks)
  }

  func url(_ database: String) -> String { "postgresql://rawmill@\(host):\(port)/\(database)" }

  /// A session of the suite's own.
  func connect(_ database: String) throws -> PostgresConnection {
    try PostgresConnection.open(
      DatabaseAddress(url(database)),
      SessionSettings(applicationName: "suite", searchPath: "rawmill")
    )
  }
}
