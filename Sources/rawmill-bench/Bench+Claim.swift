internal import FileSystem
internal import JobModel
internal import JobStore
internal import PostgresClient

/// Claims of one run.
private let claimsOfRun = 200

extension Bench {
  /// Claims alone, of ten jobs each, by the number of pending ones.
  static let queueClaims = [
    claim("queue.claim.1k", pending: 1_000),
    claim("queue.claim.100k", pending: 100_000),
    claim("queue.claim.1M", pending: 1_000_000),
    claim("queue.claim.churned", pending: 100_000, ended: 50_000),
    claim("queue.claim.held", pending: 100_000, ended: 50_000, holdsSnapshot: true),
  ]

  /// `ended` jobs come first in the queue's order and are done before, with a snapshot held from before
  /// that if asked for.
  private static func claim(
    _ name: String,
    pending: Int,
    ended: Int = 0,
    holdsSnapshot: Bool = false
  ) -> Bench {
    var state = "\(pending) pending"
    if ended > 0 { state += ", \(ended) done before" }
    if holdsSnapshot { state += " under a held snapshot" }
    return Bench(name: name, summary: "claim 10 jobs: \(state)", readsRaw: false) { _ in
      let fixture = try QueueFixture()
      let store = try JobStore.open(fixture.address)
      try fixture.fill(pending + ended, store)
      let holder = try JobStore.open(fixture.address).connection
      if holdsSnapshot {
        try holder.execute(
          "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL idle_in_transaction_session_timeout = 0; "
            + "SELECT count(*) FROM job",
          named: "hold"
        )
      }
      if ended > 0 {
        try store.connection.execute(
          """
          UPDATE job SET ready = false, outcome = 1, finished_at = now()
          WHERE id IN (SELECT id FROM job ORDER BY id LIMIT \(ended))
          """,
          named: "churn"
        )
      }
      try store.maintain()
      let worker = try store.register(QueueFixture.worker(slots: 10))
      return Prepared {
        // The server and the snapshot's session go with their last references.
        defer { withExtendedLifetime((fixture, holder)) {} }
        var operations = Operations(jobs: 0, latencies: [])
        for _ in 0..<claimsOfRun {
          try store.connection.execute("BEGIN", named: "BEGIN")
          let start = SystemInformation.monotonicTime
          operations.jobs += try store.claim(worker, count: 10).count
          operations.latencies.append(SystemInformation.monotonicTime - start)
          try store.connection.execute("ROLLBACK", named: "ROLLBACK")
        }
        return operations
      }
    }
  }
}
