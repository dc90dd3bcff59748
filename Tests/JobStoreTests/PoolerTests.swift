import DatabaseTestSupport
import FileSystem
import Foundation
import JobModel
import JobStore
import PostgresClient
import TestSupport
import Testing

/// Through PgBouncer in transaction mode: no session of the server's is anybody's own.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct PoolerTests {
  static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static let missingComment: Comment = "no pgbouncer: deploy/setup tests installs it"

  @Test(.enabled(if: PoolerTests.program != nil, PoolerTests.missingComment))
  func submitWorkAndCompleteThroughAPoolOfTwo() throws {
    let fixture = try Fixture()
    let pooler = try Pooler(fixture.database, program: #require(Self.program))
    defer { pooler.stop() }
    func open(_ role: JobStore.Role = .queue) throws -> JobStore {
      try JobStore.open(
        pooler.address,
        role: role,
        applicationName: "pooled",
        schema: fixture.database.schema
      )
    }
    // More clients than the pool has sessions: each statement may find another one.
    let submitter = try open()
    let stores = try (0..<4).map { _ in try open() }
    let heart = try open(.heartbeat)
    try submitter.register([Fixture.recipe])
    let batch = try submitter.createBatch(Fixture.batch())
    #expect(try submitter.enqueue((0..<50).map { Fixture.job($0) }, into: batch).inserted == 50)
    #expect(try submitter.enqueue((0..<60).map { Fixture.job($0) }, into: batch).inserted == 10)
    try submitter.seal(batch)
    let workers = try stores.map { try fixture.worker($0) }
    var done = 0
    while true {
      var isIdle = true
      for (store, worker) in zip(stores, workers) {
        let jobs = try store.claim(worker, count: 3)
        isIdle = isIdle && jobs.isEmpty
        #expect(try heart.beat(worker, holding: jobs.map(\.lease)).lost == [])
        for job in jobs {
          #expect(try store.recordIntent(job.lease, outputs: [Fixture.output(job)]) == [])
          #expect(try store.holding(job.lease) { true })
        }
        done += try store.complete(jobs.map { Fixture.report($0) }).count
      }
      try submitter.maintain()
      if isIdle { break }
    }
    #expect(done == 60)
    #expect(try submitter.batch(batch).state == .finished)
    #expect(try fixture.number("SELECT count(*) FROM provenance") == 60)
    // Nothing is left of anybody in the pool's sessions; the other sessions are other tests' at work.
    let sessions = "FROM pg_stat_activity WHERE application_name = 'pooled'"
    #expect(try (1...2).contains(fixture.number("SELECT count(*) \(sessions)")))
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
    #expect(try fixture.number("\(locks) AND pid IN (SELECT pid \(sessions))") == 0)
    // A failed statement leaves the client free for the next.
    #expect(throws: PostgresError.self) {
      try submitter.connection.execute("SELECT 1 / 0", named: "failure")
    }
    #expect(try submitter.batch(batch).total == 60)
    #expect(throws: JobStoreError.self) {
      try Migrator(migrations: [], schema: fixture.database.schema).migrate(pooler.address)
    }
  }
}

/// A PgBouncer of a test's own before the test cluster.
private struct Pooler {
  let address: DatabaseAddress
  private let process = Process()
  private let folder: TemporaryDirectory

  init(_ database: TestDatabase, program: String) throws {
    folder = try TemporaryDirectory()
    let path = folder.root.displayText
    let server = database.address.connectionInfo ?? ""
    let configuration = """
      [databases]
      pooled = \(server)
      [pgbouncer]
      listen_addr =
      listen_port = 6432
      unix_socket_dir = \(path)
      auth_type = any
      pool_mode = transaction
      default_pool_size = 2
      """
    try folder.write(Array(configuration.utf8), to: "pgbouncer.ini")
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-q", "\(path)/pgbouncer.ini"]
    if getuid() == 0 {
      // It refuses to run as root, and nobody but the server's user may enter the folder of its socket.
      let host = try #require(server.firstRange(of: "host='")).upperBound
      let socketFolder = String(server[host...].prefix { $0 != "'" })
      let owner = try FileManager.default.attributesOfItem(atPath: socketFolder)
      let user = try #require(owner[.ownerAccountID] as? NSNumber)
      let group = try #require(owner[.groupOwnerAccountID] as? NSNumber)
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments = [
        "--reuid=\(user)", "--regid=\(group)", "--clear-groups", program, "-q",
        "\(path)/pgbouncer.ini",
      ]
      for entry in [path, "\(path)/pgbouncer.ini"] {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: entry)
      }
    }
    try process.run()
    address = try DatabaseAddress("host=\(path) port=6432 dbname=pooled pooling=transaction")
    let isThere = Polling.wait(upTo: .seconds(20)) {
      FileManager.default.fileExists(atPath: "\(path)/.s.PGSQL.6432")
    }
    try #require(isThere, "pgbouncer did not start")
  }

  func stop() {
    // Not SIGTERM: a program that a Dispatch thread starts has its mask, which blocks it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
