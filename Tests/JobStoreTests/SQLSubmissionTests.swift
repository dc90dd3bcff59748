import DatabaseTestSupport
import Digest
import JobModel
import JobStore
import PostgresClient
import Testing

/// Submission by plain SQL.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct SQLSubmissionTests {
  private func call(_ number: Int, output: Int? = nil) -> String {
    """
    SELECT submit(
      recipe => '{"recipe":1}', input_path => 'day1/\(number).dng', input_size => 1000,
      input_mtime_ns => 5, output_ids => '{heic}',
      output_paths => ARRAY['\(output ?? number).heic'::bytea], pixel_version => 1,
      input_root => 'shoot', output_root => 'out', batch_name => 'orders')
    """
  }

  @Test
  func theJobIsTheOneThatTheProgramWouldSubmit() throws {
    let fixture = try Fixture()
    let alice = try LoginRole(fixture.database, name: "alice", group: "rawmill_submitter")
    let id = try alice.number(call(7))
    #expect(try alice.number(call(7)) == id)
    #expect(try alice.number("SELECT count(*) FROM job") == 1)
    let known = try fixture.store.known([Fixture.job(7).key])
    #expect(known[Fixture.job(7).key]?.id == JobID(rawValue: Int64(id)))
    // The program finds it, and makes no second one.
    let batch = try fixture.store.createBatch(Fixture.batch())
    let result = try fixture.store.enqueue([Fixture.job(7), Fixture.job(8)], into: batch)
    #expect(result.inserted == 1)
    #expect(result.live.values.reduce(0, +) == 1)
    let job = try #require(
      try fixture.store.claim(fixture.worker(), count: 5).first { $0.id.rawValue == Int64(id) }
    )
    #expect(job.input == Fixture.job(7).input)
    #expect(job.outputs == Fixture.job(7).outputs)
    #expect(job.recipe == Fixture.recipe)
    #expect(try fixture.store.complete([Fixture.report(job)]) == [job.id])
    try fixture.store.maintain()
    #expect(try fixture.store.batch(job.batch).state == .finished)
    // The next one under this name begins a new batch.
    _ = try alice.number(call(9))
    #expect(try alice.number("SELECT count(*) FROM batch WHERE name = 'orders'") == 2)
  }

  /// A program's own rows and the job are there together, or neither.
  @Test
  func itIsPartOfTheCallersTransaction() throws {
    let fixture = try Fixture()
    let connection = try fixture.database.connection()
    try connection.execute("CREATE TABLE orders (id integer)", named: "t")
    try connection.execute(
      "BEGIN; INSERT INTO orders VALUES (1); \(call(1)); \(call(2)); ROLLBACK",
      named: "t"
    )
    #expect(try fixture.number("SELECT count(*) FROM job") == 0)
    try connection.execute(
      "BEGIN; INSERT INTO orders VALUES (1); \(call(1)); \(call(2)); COMMIT",
      named: "t"
    )
    #expect(try fixture.number("SELECT count(*) FROM job, orders") == 2)
    let batch = try connection.queryOnce("SELECT batch_id FROM job LIMIT 1", named: "t")[0].int64(0)
    #expect(try fixture.store.batch(BatchID(rawValue: batch)).total == 2)
    #expect(try fixture.store.batch(BatchID(rawValue: batch)).isSealed)
  }

  @Test
  func whatCannotBeIsRefused() throws {
    let fixture = try Fixture()
    let connection = try fixture.database.connection()
    try connection.execute(call(1), named: "t")
    func state(_ sql: String) -> SQLState? {
      do {
        try connection.execute(sql, named: "t")
        return nil
      } catch {
        return error.state
      }
    }
    #expect(state(call(2, output: 1)) == .uniqueViolation)
    let digest = SHA256.digest(of: [1]).hex
    #expect(
      state(call(3).replacing("{\"recipe\":1}", with: digest))
        == SQLState(rawValue: "P0002")
    )
    #expect(
      state(call(3).replacing("{\"recipe\":1}", with: "{}")) == SQLState(rawValue: "22023")
    )
    #expect(try fixture.number("SELECT count(*) FROM job") == 1)
  }
}
