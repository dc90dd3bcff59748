internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import ProcessControl

extension FaultRow {
  /// Steering, rescues, versions and statistics against running work.
  static let stateRows = [
    FaultRow(
      number: 7,
      name: "rescue-race",
      summary: "workers given up for dead while they complete"
    ) { bench in
      let farm = try Farm(bench, "rescue-race")
      for index in 0..<3 { try farm.startWorker("w\(index)", slots: 2) }
      try farm.submit(bench.isLong ? 600 : 120)
      var rounds = 0
      try Wait.until("the end under false burials", limit: .seconds(bench.isLong ? 240 : 90)) {
        if rounds < (bench.isLong ? 60 : 12) {
          rounds += 1
          let fault = farm.recorder.inject("bury", "a living worker", recovers: false)
          // As an observer would that could not see its beats.
          try farm.execute(
            """
            UPDATE worker SET state = 2, ended_at = clock_timestamp() WHERE id =
              (SELECT id FROM worker WHERE state = 0 ORDER BY random() LIMIT 1)
            """
          )
          farm.recorder.add(.ended(fault: fault))
          Wait.pause(.milliseconds(300))
        }
        return try farm.number("SELECT count(*) FROM batch WHERE finished_at IS NULL") == 0
      }
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 15,
      name: "steering",
      summary: "batches cancelled, paused and resumed while they are claimed and completed"
    ) { bench in
      let farm = try Farm(bench, "steering")
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      let store = try farm.store()
      for round in 0..<(bench.isLong ? 20 : 4) {
        let folder = try farm.makeInputs(20, expected: .doneOrCancelled)
        try farm.submit(folder)
        let batch = BatchID(rawValue: try farm.number("SELECT max(id) FROM batch"))
        Wait.pause(.milliseconds(100 * (round % 5)))
        if round % 2 == 0 {
          _ = farm.recorder.inject("pause", "batch \(batch)", recovers: false)
          _ = try store.pause(batch)
          Wait.pause(.milliseconds(200))
          _ = try store.resume(batch)
          Wait.pause(.milliseconds(100))
        }
        let fault = farm.recorder.inject("cancel", "batch \(batch)")
        try store.cancel(batch)
        farm.recorder.add(.ended(fault: fault))
        // Running ones stop within two beats; nothing comes to life again.
        try Wait.until("the end of a cancelled batch", limit: .seconds(20)) {
          try farm.number("SELECT count(*) FROM job WHERE batch_id = \(batch) AND outcome IS NULL")
            == 0
        }
        farm.recorder.add(.recovered(fault: fault))
      }
      try farm.submit(10)
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 16,
      name: "caps",
      summary: "a cap of 3 with many claimers, and holders that crash"
    ) { bench in
      let farm = try Farm(bench, "caps")
      try farm.submit(bench.isLong ? 400 : 90)
      try farm.execute("UPDATE batch SET maximum_running = 3")
      for index in 0..<4 { try farm.startWorker("w\(index)", slots: 3) }
      var kills = 0
      try Wait.until("the end of a batch with a cap", limit: .seconds(bench.isLong ? 300 : 90)) {
        let running = try farm.number("SELECT count(*) FROM lease")
        farm.recorder.add(.running(batch: 1, count: running))
        if kills < (bench.isLong ? 12 : 3), running > 0 {
          kills += 1
          let fault = farm.recorder.inject("killWorker", "a holder under a cap")
          let tokens = try farm.leaseTokens()
          let victim = farm.workers[kills % 4]
          victim.kill()
          try farm.startWorker(victim.name, slots: 3)
          try farm.recover(fault, from: tokens)
        }
        return try farm.number("SELECT count(*) FROM batch WHERE finished_at IS NULL") == 0
      }
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 17,
      name: "snapshot",
      summary:
        "a snapshot held while jobs are claimed and given back, no statistics, stale statistics"
    ) { bench in
      let farm = try Farm(bench, "snapshot", lease: .seconds(30))
      try HeldSnapshot(jobs: bench.isLong ? 1_000_000 : 50_000, rounds: bench.isLong ? 3_000 : 400)
        .run(farm)
      return farm
    },
    FaultRow(
      number: 19,
      name: "versions",
      summary: "a schema of a later version under running workers, and a worker that comes to it"
    ) { bench in
      let farm = try Farm(bench, "versions")
      try farm.startWorker("old", slots: 2)
      try farm.submit(30)
      let columns = try farm.connection().queryOnce(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'rawmill' AND table_name LIKE '%migration%'",
        named: "suite"
      )
      guard columns.rowCount == 1 else { throw SuiteError.broken("no table of migrations") }
      let table = try columns[0].text(0)
      _ = farm.recorder.inject(
        "version",
        "a migration that this program does not know",
        recovers: false
      )
      try farm.execute(
        """
        CREATE TEMP TABLE later AS SELECT * FROM rawmill.\(table) ORDER BY version DESC LIMIT 1;
        UPDATE later SET version = 9999, name = 'later';
        INSERT INTO rawmill.\(table) SELECT * FROM later
        """
      )
      let refused = try farm.startWorker("refused")
      try Wait.until("the refusal of a later schema", limit: .seconds(20)) { !refused.isRunning }
      let text = String(decoding: try refused.log.readAll(), as: UTF8.self)
      guard refused.exit?.isSuccess == false, text.contains("schema") || text.contains("version")
      else {
        throw SuiteError.broken("a worker did not refuse a later schema: \(text)")
      }
      try farm.execute("DELETE FROM rawmill.\(table) WHERE version = 9999")
      try farm.finish()
      return farm
    },
  ]
}

/// Claims on many jobs while an old snapshot keeps every dead row in place.
private struct HeldSnapshot {
  let jobs: Int
  let rounds: Int

  func run(_ farm: Farm) throws {
    // One real job, whose row the others are copies of; they end as cancelled.
    let folder = try farm.makeInputs(1, prefix: "seed", expected: .cancelled)
    try farm.submit(folder)
    let store = try farm.store()
    let batch = BatchID(rawValue: try farm.number("SELECT max(id) FROM batch"))
    try farm.execute("ALTER TABLE job SET (autovacuum_enabled = off)")
    try farm.execute(
      """
      INSERT INTO job (batch_id, input_size, input_mtime_ns, dedupe_key, recipe_digest, input_root,
        input_path, output_ids, output_roots, output_paths)
      SELECT batch_id, input_size, input_mtime_ns, sha256(n::text::bytea), recipe_digest, input_root,
        input_path || n::text::bytea, output_ids, output_roots, output_paths
      FROM job, generate_series(2, \(jobs)) AS n;
      UPDATE batch SET total = \(jobs), has_ready = true
      """
    )
    let folderPath = farm.input.displayText.dropFirst() + "/"
    _ = folderPath
    let worker = try store.register(
      WorkerSpecification(
        host: "suite",
        bootID: "none",
        processID: 1,
        processStartTicks: 0,
        version: "suite",
        slots: 10,
        threads: 1
      )
    )
    // Statistics are missing first, then stale: taken when most of the table was other.
    let holder = try farm.server.connect(farm.database)
    try holder.execute(
      "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM job",
      named: "suite"
    )
    let fault = farm.recorder.inject(
      "snapshot",
      "held while \(rounds * 10) jobs are claimed",
      recovers: false
    )
    for round in 0..<rounds {
      if round == rounds / 2 { try farm.execute("ANALYZE job") }
      let begin = SystemInformation.monotonicTime
      let claimed = try store.claim(worker, count: 10)
      let time = SystemInformation.monotonicTime - begin
      farm.recorder.add(.claimed(microseconds: Int64(time / .microseconds(1))))
      guard claimed.count == 10 else {
        throw SuiteError.broken("a claim got \(claimed.count) of 10 jobs")
      }
      // Given back they are the first again: every claim meets what the earlier ones left dead.
      _ = try store.release(claimed.map(\.lease))
      if round % 100 == 0 { _ = try store.beat(worker, holding: []) }
    }
    try holder.execute("ROLLBACK", named: "suite")
    farm.recorder.add(.ended(fault: fault))
    try store.retire(worker)
    // The copies are no submissions: they go, with what they left.
    try farm.execute(
      """
      DELETE FROM attempt WHERE job_id > (SELECT min(id) FROM job);
      DELETE FROM job WHERE id > (SELECT min(id) FROM job);
      UPDATE batch SET total = 1
      """
    )
    try store.cancel(batch)
    try Wait.until("the end of the batch", limit: .seconds(20)) {
      try store.maintain()
      return try farm.number("SELECT count(*) FROM batch WHERE finished_at IS NULL") == 0
    }
  }
}
