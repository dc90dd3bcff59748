import DatabaseTestSupport
import JobModel
import JobStore
import PostgresClient
import Testing

@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct RetentionTests {
  private func tables(_ fixture: Fixture, _ parent: String) throws -> [String] {
    let result = try fixture.database.connection().queryOnce(
      """
      SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = '\(parent)'::regclass ORDER BY 1
      """,
      named: "tables"
    )
    return try result.map { (row) throws(PostgresError) in try row.text(0) }
  }

  @Test
  func onlyWholeMonthsThatAreOverAreDropped() throws {
    let fixture = try Fixture()
    let admin = try fixture.database.connection()
    for parent in ["attempt", "event"] {
      for month in 1...3 {
        try admin.execute(
          """
          CREATE TABLE \(parent)_2020_0\(month) PARTITION OF \(parent)
          FOR VALUES FROM ('2020-0\(month)-01') TO ('2020-0\(month + 1)-01')
          """,
          named: "month"
        )
      }
    }
    try fixture.submit([1])
    let live = try tables(fixture, "attempt").filter { !$0.contains("2020") }
    #expect(live.count == 4)
    let days = try fixture.number("SELECT extract(day FROM now() - '2020-03-01')::int")
    // March 2020 is not over for a call of that age.
    #expect(
      try fixture.store.prune(olderThanDays: days)
        == ["attempt_2020_01", "attempt_2020_02", "event_2020_01", "event_2020_02"]
    )
    #expect(try tables(fixture, "event").filter { $0.contains("2020") } == ["event_2020_03"])
    #expect(
      try fixture.store.prune(olderThanDays: 90) == ["attempt_2020_03", "event_2020_03"]
    )
    #expect(try tables(fixture, "attempt") == live)
    #expect(try fixture.store.prune(olderThanDays: 0).isEmpty)
    #expect(try fixture.number("SELECT count(*) FROM event") == 1)
  }

  /// Everything that names the batch or its jobs is gone, and nothing of another batch.
  @Test
  func aFinishedBatchIsDeletedWhole() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let worker = try fixture.worker()
    let kept = try fixture.submit(0..<3)
    let batch = try fixture.submit(10..<20)
    #expect(throws: JobStoreError.batchNotFinished(batch)) { try store.delete(batch) }
    _ = try store.takeDeliveries(to: "hook")
    for (index, job) in try store.claim(worker, count: 20).enumerated() {
      if index % 3 == 0 {
        try store.fail(job, Fixture.failure(.permanent))
      } else {
        _ = try store.recordIntent(job.lease, outputs: [Fixture.output(job)])
        _ = try store.complete([Fixture.report(job)])
      }
    }
    try store.maintain()
    _ = try store.takeDeliveries(to: "hook")
    func rows(_ batch: BatchID) throws -> [String: Int] {
      let admin = try fixture.database.connection()
      var counts: [String: Int] = [:]
      let columns = try admin.queryOnce(
        """
        SELECT c.relname::text, a.attname::text FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('batch_id', 'job_id')
        WHERE c.relnamespace = current_schema::regnamespace AND c.relkind IN ('r', 'p')
          AND NOT c.relispartition
        """,
        named: "columns"
      )
      for row in 0..<columns.rowCount {
        let table = try columns[row].text(0)
        let column = try columns[row].text(1)
        let condition =
          column == "batch_id"
          ? "batch_id = \(batch)" : "job_id IN (SELECT id FROM job WHERE batch_id = \(batch))"
        counts[table, default: 0] += try admin.queryOnce(
          "SELECT count(*) FROM \(table) WHERE \(condition)",
          named: "count"
        )[0].int(0)
      }
      return counts.filter { $0.value > 0 }
    }
    let before = try rows(kept)
    let jobs = try fixture.number("SELECT count(*) FROM target")
    let tables = Set(try rows(batch).keys)
    #expect(
      tables.isSuperset(of: ["job", "output", "provenance", "failure", "target", "event"])
    )
    #expect(try store.batches(named: "test") == [batch, kept])
    #expect(try store.delete(batch) == 10)
    #expect(try rows(batch).isEmpty)
    #expect(try rows(kept) == before)
    #expect(try fixture.number("SELECT count(*) FROM target") == jobs - 10)
    #expect(
      try fixture.number(
        "SELECT count(*) FROM output WHERE job_id NOT IN (SELECT id FROM job)"
      ) == 0
    )
    #expect(throws: JobStoreError.batchMissing(batch)) { try store.delete(batch) }
    // The same work may be submitted again.
    try fixture.submit(10..<20)
  }
}
