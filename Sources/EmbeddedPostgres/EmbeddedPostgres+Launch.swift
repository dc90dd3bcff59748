internal import FileSystem
internal import Glibc
internal import PostgresClient

extension EmbeddedPostgres {
  /// Starts the server and waits until it takes connections; the lock is held.
  ///
  /// `pg_ctl` starts it in a session of its own, so that it outlives this process and its terminal.
  func launch(_ programs: PostgresPrograms, _ user: ServerUser) throws(EmbeddedPostgresError) {
    if case .running = try status() {
      try awaitReady(programs, user)
      return
    }
    let socketFolder = try prepareSocketFolder(user)
    try removeStaleFiles(socketFolder)
    // The option is read by a shell that pg_ctl starts: quoted for it.
    let option = Array("-k ".utf8) + EmbeddedPostgres.shellQuoted(socketFolder.bytes)
    let output = try ProgramOutput.run(
      programs.program("pg_ctl"),
      arguments(["start", "-w", "-t", "600", "-s", "-D"], folder.data, ["-l"])
        + [folder.log.bytes, Array("-o".utf8), option],
      as: user
    )
    guard output.isSuccess else { throw output.failure(logTail()) }
  }

  /// A server that another start, which was killed, has begun: it needs only time.
  private func awaitReady(
    _ programs: PostgresPrograms,
    _ user: ServerUser
  ) throws(EmbeddedPostgresError) {
    // 10 minutes, as pg_ctl has it: crash recovery of a large cluster takes its time.
    for _ in 0..<6_000 {
      guard case .running(_, let isReady) = try status() else { break }
      if isReady { return }
      _ = usleep(100_000)
    }
    guard case .running(_, true) = try status() else {
      throw .programFailed(
        program: "postgres",
        reason: "it does not become ready",
        output: logTail()
      )
    }
  }

  /// Removes the lock files of a server that is gone; `status` has looked.
  ///
  /// PostgreSQL does so itself unless another process has the number by now, as is likely after the
  /// machine was restarted. The socket's folder is this cluster's own, so its lock is too.
  private func removeStaleFiles(_ socketFolder: FilePath) throws(EmbeddedPostgresError) {
    try wrappingSystem { () throws(SystemError) in
      try folder.postmasterFile.removeFileIfExists()
      try socketFolder.appending(FilePath(".s.PGSQL.\(ClusterFolder.port).lock"))
        .removeFileIfExists()
    }
  }

  private func prepareSocketFolder(
    _ user: ServerUser
  ) throws(EmbeddedPostgresError) -> FilePath {
    let path = folder.socketFolder(user: user.user)
    let isNew = try createIfMissing(path)
    if isNew { try user.own(path) }
    // In /tmp somebody else may have been first, or may have set a link.
    let status = try wrappingSystem { () throws(SystemError) in
      try path.status(followingLinks: false)
    }
    guard status.kind == .folder, status.owner == user.user, status.permissions & 0o077 == 0 else {
      throw .folderForeign(folder: path)
    }
    return path
  }

  /// Makes a folder, and says whether it was not there.
  func createIfMissing(_ path: FilePath) throws(EmbeddedPostgresError) -> Bool {
    try wrappingSystem { () throws(SystemError) in
      do throws(SystemError) {
        try path.createDirectory(permissions: 0o700)
        return true
      } catch {
        guard error.errorNumber == EEXIST else { throw error }
        return false
      }
    }
  }

  /// Makes rawmill's database, and marks that it is there.
  func createDatabase(_ endpoint: PostmasterFile.Endpoint) throws(EmbeddedPostgresError) {
    guard try !exists(folder.ready) else { return }
    let settings = SessionSettings(applicationName: "rawmill database start")
    do throws(PostgresError) {
      let connection = try PostgresConnection.open(
        address(endpoint, database: "postgres"),
        settings
      )
      try connection.execute(
        "CREATE DATABASE \(quotedIdentifier(EmbeddedPostgres.databaseName))",
        named: "create database"
      )
    } catch {
      guard error.state == .duplicateDatabase else { throw .postgres(error) }
    }
    try wrappingSystem { () throws(SystemError) in
      _ = try FileDescriptor.open(folder.ready, .readWriteCreating(permissions: 0o600))
    }
  }

  /// The end of the server's log, for messages.
  func logTail() -> String {
    do throws(SystemError) {
      let file = try FileDescriptor.open(folder.log, .read)
      let size = try file.status().size
      let bytes = try file.read(count: Int(min(size, 1_024)), at: max(0, size - 1_024))
      return "; "
        + String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(4)
        .joined(separator: "; ")
    } catch {
      return ""
    }
  }

  static func shellQuoted(_ bytes: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    var quoted: [UInt8] = [quote]
    for byte in bytes {
      if byte == quote {
        quoted += Array("'\\''".utf8)
      } else {
        quoted.append(byte)
      }
    }
    return quoted + [quote]
  }
}
