internal import FileSystem
internal import Glibc
package import PostgresClient

/// A private PostgreSQL cluster: made once, started when needed, shared by every rawmill process of a
/// user, and left running.
///
/// Only a Unix socket in a folder of the server's own leads to it, so that file permissions are its
/// authentication. Every change is made under one file lock.
package struct EmbeddedPostgres: Sendable {
  /// What there is of the cluster.
  package enum Status: Equatable, Sendable {
    /// No cluster has been made.
    case absent
    case stopped
    /// A server runs; it may still be starting or stopping.
    case running(processID: Int32, isReady: Bool)
  }

  package let folder: ClusterFolder
  /// The versions that may be used, the newest first; nil: what is installed.
  let programs: [PostgresPrograms]?
  static let userName = "rawmill"
  static let databaseName = "rawmill"

  package init(_ folder: ClusterFolder, programs: [PostgresPrograms]? = nil) {
    self.folder = folder
    self.programs = programs
  }

  /// Gives the address of the running server; makes and starts it if need be.
  package func start() throws(EmbeddedPostgresError) -> DatabaseAddress {
    if let address = try runningAddress() { return address }
    let user = try ServerUser.current()
    try prepareFolders(user)
    let lock = try takeLock()
    defer { withExtendedLifetime(lock.rawValue) {} }
    if let address = try runningAddress() { return address }
    let programs = try choosePrograms()
    if try !exists(folder.data) {
      try create(programs, user)
    }
    try launch(programs, user)
    guard let endpoint = try PostmasterFile.read(folder)?.endpoint else {
      throw .programFailed(
        program: "postgres",
        reason: "it ended right after its start",
        output: logTail()
      )
    }
    try createDatabase(endpoint)
    return address(endpoint, database: EmbeddedPostgres.databaseName)
  }

  /// Stops the server after its open transactions are ended, and says whether it ran.
  @discardableResult
  package func stop() throws(EmbeddedPostgresError) -> Bool {
    guard try exists(folder.data) else { return false }
    let user = try ServerUser.current()
    let lock = try takeLock()
    defer { withExtendedLifetime(lock.rawValue) {} }
    guard case .running = try status() else { return false }
    let programs = try choosePrograms()
    let output = try ProgramOutput.run(
      programs.program("pg_ctl"),
      arguments(["stop", "-D"], folder.data, ["-m", "fast", "-w", "-t", "120"]),
      as: user
    )
    guard output.isSuccess else { throw output.failure() }
    return true
  }

  /// What there is of the cluster.
  package func status() throws(EmbeddedPostgresError) -> Status {
    guard try exists(folder.data) else { return .absent }
    guard let file = try PostmasterFile.read(folder),
      PostmasterFile.isServer(file.processID, of: folder)
    else { return .stopped }
    return .running(processID: file.processID, isReady: file.endpoint != nil)
  }

  /// The address of the server if it runs and takes connections.
  package func runningAddress() throws(EmbeddedPostgresError) -> DatabaseAddress? {
    guard let file = try PostmasterFile.read(folder), let endpoint = file.endpoint,
      PostmasterFile.isServer(file.processID, of: folder), try exists(folder.ready)
    else { return nil }
    return address(endpoint, database: EmbeddedPostgres.databaseName)
  }

  func address(_ endpoint: PostmasterFile.Endpoint, database: String) -> DatabaseAddress {
    DatabaseAddress(
      socketFolder: String(decoding: endpoint.socketFolder.bytes, as: UTF8.self),
      port: endpoint.port,
      user: EmbeddedPostgres.userName,
      database: database
    )
  }

  func exists(_ path: FilePath) throws(EmbeddedPostgresError) -> Bool {
    try wrappingSystem { () throws(SystemError) in try path.statusIfExists() != nil }
  }

  /// Arguments with a path among them, whatever its bytes.
  func arguments(_ before: [String], _ path: FilePath, _ after: [String]) -> [[UInt8]] {
    before.map { Array($0.utf8) } + [path.bytes] + after.map { Array($0.utf8) }
  }

  /// Waits for the lock of creation, start and stop; it ends with the descriptor.
  private func takeLock() throws(EmbeddedPostgresError) -> FileDescriptor {
    do throws(SystemError) {
      let lock = try FileDescriptor.open(
        folder.lock,
        .readWriteCreating(permissions: 0o600),
        followingLinks: false
      )
      try lock.lock()
      return lock
    } catch {
      throw .system(error)
    }
  }

  /// Makes the folders above the cluster, and the server's own.
  private func prepareFolders(_ user: ServerUser) throws(EmbeddedPostgresError) {
    try wrappingSystem { () throws(SystemError) in
      try folder.root.createDirectories(permissions: user.isOther ? 0o755 : 0o700)
    }
    let isNew = try createIfMissing(folder.server)
    if isNew || user.isOther { try user.own(folder.server) }
    try user.requireWay(to: folder.server)
  }

  /// The programs of the cluster's version, or the newest for a new cluster.
  private func choosePrograms() throws(EmbeddedPostgresError) -> PostgresPrograms {
    let found: [PostgresPrograms]
    if let programs {
      found = programs
    } else {
      found = try PostgresPrograms.find()
    }
    guard let newest = found.first else {
      throw .programsMissing(searched: [])
    }
    guard try exists(folder.data) else { return newest }
    let version: String
    do throws(SystemError) {
      let bytes = try folder.data.appending("PG_VERSION").readAll(limit: 64)
      version = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    } catch {
      throw .notACluster(folder: folder.data)
    }
    guard let number = Int(version) else { throw .notACluster(folder: folder.data) }
    guard let match = found.first(where: { $0.majorVersion == number }) else {
      throw .otherMajorVersion(
        folder: folder.data,
        found: number,
        installed: Set(found.map(\.majorVersion)).sorted()
      )
    }
    return match
  }
}
