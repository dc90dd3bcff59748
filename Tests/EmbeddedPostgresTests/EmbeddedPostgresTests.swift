import Diagnostics
import EmbeddedPostgres
import FileSystem
import Glibc
import PostgresClient
import Testing

/// A data folder that the server's user can reach, with its server stopped at the end.
private final class Cluster: Sendable {
  let folder: ClusterFolder

  init(_ name: String = #function) throws {
    let tag = name.prefix { $0.isLetter }
    let root = FilePath("/tmp/rawmill-test-embedded-\(getpid())-\(tag)")
    if try root.statusIfExists() != nil { try root.removeTree() }
    folder = ClusterFolder(root: root)
  }

  deinit {
    _ = try? EmbeddedPostgres(folder).stop()
    try? folder.root.removeTree()
  }

  var embedded: EmbeddedPostgres { EmbeddedPostgres(folder) }
  var data: FilePath { folder.root.appending("database/data") }
}

private let isInstalled = (try? PostgresPrograms.find()) != nil
private let missing: Comment = "no PostgreSQL server: install the Debian package postgresql"

private func number(_ address: DatabaseAddress, _ sql: String) throws -> Int {
  let connection = try PostgresConnection.open(
    address,
    SessionSettings(applicationName: "test")
  )
  return try connection.queryOnce(sql, named: "test")[0].int(0)
}

@Suite(.enabled(if: isInstalled, missing))
struct EmbeddedPostgresTests {
  @Test
  func createsStartsReusesAndStops() throws {
    let cluster = try Cluster()
    #expect(try cluster.embedded.status() == .absent)
    #expect(try cluster.embedded.stop() == false)
    let address = try cluster.embedded.start()
    guard case .running(let process, true) = try cluster.embedded.status() else {
      Issue.record("it does not run")
      return
    }
    #expect(try number(address, "SELECT count(*) FROM pg_database WHERE datname = 'rawmill'") == 1)
    // Checksums are on, UTF-8 is the encoding, and no TCP port listens.
    let settings = """
      SELECT (current_setting('data_checksums') = 'on' AND current_setting('lc_collate') = 'C'
        AND current_setting('server_encoding') = 'UTF8' AND current_setting('listen_addresses') = ''
      )::int
      """
    #expect(try number(address, settings) == 1)
    // A second start finds the same server.
    #expect(try cluster.embedded.start() == address)
    #expect(try cluster.embedded.status() == .running(processID: process, isReady: true))
    // The server is not this process's child in a way that dies with it, nor does it run as root.
    #expect(try FilePath("/proc/\(process)").status().owner != 0)
    #expect(try cluster.folder.root.appending("database").status().permissions & 0o777 == 0o700)
    #expect(try cluster.embedded.stop())
    #expect(try cluster.embedded.status() == .stopped)
    #expect(try cluster.embedded.runningAddress() == nil)
  }

  @Test
  func fourProcessesThatStartAtOnceGetOneServer() async throws {
    let cluster = try Cluster()
    let root = cluster.folder.root.displayText
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) { [root = root as String] in
            let address = try EmbeddedPostgres(ClusterFolder(root: FilePath(root))).start()
            let connection = try PostgresConnection.open(
              address,
              SessionSettings(applicationName: "racer")
            )
            try connection.execute(
              """
              SELECT pg_advisory_lock(1); CREATE TABLE IF NOT EXISTS racer (pid int);
              INSERT INTO racer VALUES (pg_backend_pid())
              """,
              named: "race"
            )
          }
        }
      }
    }
    // All four wrote into one database.
    let address = try #require(try cluster.embedded.runningAddress())
    #expect(try number(address, "SELECT count(*) FROM racer") == 4)
  }

  @Test
  func aStalePidFileDoesNotHinderTheStart() throws {
    let cluster = try Cluster()
    _ = try cluster.embedded.start()
    guard case .running(let process, _) = try cluster.embedded.status() else {
      Issue.record("it does not run")
      return
    }
    let file = cluster.data.appending("postmaster.pid")
    let lines = String(decoding: try file.readAll(), as: UTF8.self)
    // The machine loses power, and after its restart our own process has the server's number.
    #expect(kill(process, SIGKILL) == 0)
    while kill(process, 0) == 0, try !isZombie(process) { usleep(10_000) }
    let stale = lines.split(separator: "\n", omittingEmptySubsequences: false)
    let forged = ([Substring("\(getpid())")] + stale.dropFirst()).joined(separator: "\n")
    let descriptor = try FileDescriptor.open(file, .readWriteCreating(permissions: 0o600))
    try descriptor.truncate(to: 0)
    try descriptor.write(Array(forged.utf8))
    #expect(try cluster.embedded.status() == .stopped)
    let address = try cluster.embedded.start()
    #expect(try number(address, "SELECT 1") == 1)
  }

  private func isZombie(_ process: Int32) throws -> Bool {
    let text = String(
      decoding: try FileDescriptor.open(FilePath("/proc/\(process)/stat"), .read).read(
        count: 4_096
      ),
      as: UTF8.self
    )
    return text.contains(") Z ")
  }

  @Test
  func anotherMajorVersionIsNamed() throws {
    let cluster = try Cluster()
    try cluster.data.createDirectories()
    let version = try FileDescriptor.open(
      cluster.data.appending("PG_VERSION"),
      .readWriteCreating(permissions: 0o600)
    )
    try version.write(Array("9\n".utf8))
    let installed = Set(try PostgresPrograms.find().map(\.majorVersion)).sorted()
    #expect(
      throws: EmbeddedPostgresError.otherMajorVersion(
        folder: cluster.data,
        found: 9,
        installed: installed
      )
    ) { try cluster.embedded.start() }
  }

  @Test
  func aFolderThatIsNoClusterIsLeftAlone() throws {
    let cluster = try Cluster()
    try cluster.data.appending("holiday").createDirectories()
    #expect(throws: EmbeddedPostgresError.notACluster(folder: cluster.data)) {
      try cluster.embedded.start()
    }
    #expect(try cluster.data.appending("holiday").statusIfExists() != nil)
  }

  /// A file system of 8 MB is too small for a cluster of 40 MB.
  @Test(.enabled(if: geteuid() == 0, "only root can mount a small file system"))
  func aFullDiskLeavesNoHalfFolder() throws {
    let cluster = try Cluster()
    let root = String(decoding: cluster.folder.root.bytes, as: UTF8.self)
    try cluster.folder.root.createDirectories(permissions: 0o755)
    try #require(unsafe mount("tmpfs", root, "tmpfs", 0, "size=8m,mode=755") == 0)
    defer { _ = unsafe umount2(root, 2) }
    #expect(throws: EmbeddedPostgresError.diskFull(folder: cluster.folder.root)) {
      try cluster.embedded.start()
    }
    #expect(try cluster.embedded.status() == .absent)
    let left = try cluster.folder.root.appending("database").directoryEntries()
    #expect(left.map(\.name) == [])
  }

  @Test
  func missingProgramsNameTheDebianPackage() throws {
    let cluster = try Cluster()
    let embedded = EmbeddedPostgres(cluster.folder, programs: [])
    let error = #expect(throws: EmbeddedPostgresError.self) { try embedded.start() }
    #expect(error?.message.contains("Debian package postgresql") == true)
  }

  /// A socket's path ends at 107 bytes; the data folder's may be longer.
  @Test
  func aLongDataFolderGetsAShortSocket() throws {
    let base = try Cluster()
    let long = base.folder.root.appending(FilePath(String(repeating: "d", count: 120)))
    let embedded = EmbeddedPostgres(ClusterFolder(root: long))
    defer { _ = try? embedded.stop() }
    let address = try embedded.start()
    #expect(try number(address, "SELECT 1") == 1)
    #expect(try embedded.stop())
  }

  @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
  func aClosedFolderAboveIsNamed() throws {
    let cluster = try Cluster()
    let closed = cluster.folder.root.appending("closed")
    try closed.createDirectories(permissions: 0o700)
    let embedded = EmbeddedPostgres(ClusterFolder(root: closed.appending("data")))
    let error = #expect(throws: EmbeddedPostgresError.self) { try embedded.start() }
    #expect(error?.code == "postgresFolderClosed")
  }
}

@Suite
struct EmbeddedPostgresErrorTests {
  static let folder: FilePath = "/data"
  static let table: [(EmbeddedPostgresError, String, Disposition)] = [
    (.programsMissing(searched: ["PATH"]), "postgresProgramsMissing", .fatalWorker),
    (
      .otherMajorVersion(folder: folder, found: 14, installed: [15]), "postgresOtherMajorVersion",
      .fatalWorker
    ),
    (.notACluster(folder: folder), "postgresNotACluster", .fatalWorker),
    (.diskFull(folder: folder), "postgresDiskFull", .resource),
    (
      .programFailed(program: "initdb", reason: "exit code 1", output: ""),
      "postgresProgramFailed", .fatalWorker
    ),
    (.folderClosed(folder: folder, user: "postgres"), "postgresFolderClosed", .fatalWorker),
    (.folderForeign(folder: folder), "postgresFolderForeign", .fatalWorker),
    (.homeMissing, "postgresHomeMissing", .fatalWorker),
    (.serverUserMissing, "postgresServerUserMissing", .fatalWorker),
    (.system(SystemError(errorNumber: ENOSPC, call: "mkdir")), "diskFull", .resource),
    (.postgres(.outOfMemory), "databaseOutOfMemory", .resource),
  ]

  @Test(arguments: table)
  func slugAndDisposition(
    _ error: EmbeddedPostgresError,
    _ code: String,
    _ disposition: Disposition
  ) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }
}
