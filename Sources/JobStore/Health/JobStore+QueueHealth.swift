internal import JobModel
internal import PostgresClient

/// Batches of which jobs could be claimed now, with what the claim looks at.
///
/// Workers count that have its roots: their hosts, whether one of these is not set aside, and whether such a
/// worker has a slot free. The last column changes with every claim and every job that ends.
private let selectClaimable = SQLStatement(
  "health.claimable",
  """
  SELECT b.id, left(b.name, 200), b.roots,
    EXISTS (SELECT FROM worker w WHERE w.state = 0),
    able.hosts, able.is_any_allowed, able.is_any_free,
    concat_ws(' ',
      (SELECT done + failed + cancelled + skipped FROM progress p WHERE p.batch_id = b.id),
      (SELECT sum(done + failed + cancelled + skipped) FROM tally t WHERE t.batch_id = b.id),
      (SELECT md5(string_agg(l.token::text, ' ' ORDER BY l.token)) FROM lease l
        WHERE l.batch_id = b.id))
  FROM batch b CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT v.host), '{}') AS hosts,
      coalesce(bool_or(NOT v.is_aside), false) AS is_any_allowed,
      coalesce(bool_or(NOT v.is_aside AND v.slots > v.busy), false) AS is_any_free
    FROM (
      SELECT w.host, w.slots, (SELECT count(*) FROM lease l WHERE l.worker_id = w.id) AS busy,
        EXISTS (
          SELECT FROM set_aside x WHERE x.host = w.host AND x.until > clock_timestamp()
            AND (x.root = '' OR x.root = ANY (b.roots))) AS is_aside
      FROM worker w WHERE w.state = 0 AND b.roots <@ w.roots
    ) AS v
  ) AS able
  WHERE b.state = 0 AND b.has_ready
    AND EXISTS (SELECT FROM job j WHERE j.batch_id = b.id AND j.ready)
    AND NOT EXISTS (SELECT FROM batch a WHERE a.id = b.after_batch AND a.state <> 3)
    AND (b.maximum_running IS NULL
      OR b.maximum_running > (SELECT count(*) FROM lease l WHERE l.batch_id = b.id))
  ORDER BY b.id LIMIT 100
  """
)

private let selectRootsOfWorkers = SQLStatement(
  "health.workerRoots",
  "SELECT DISTINCT root FROM worker w CROSS JOIN unnest(w.roots) AS root WHERE w.state = 0"
)

private let selectStranded = SQLStatement(
  "health.stranded",
  """
  SELECT b.id, left(b.name, 200) FROM batch b
  WHERE b.state = 0 AND NOT b.has_ready
    AND EXISTS (SELECT FROM job j WHERE j.batch_id = b.id AND j.ready)
  ORDER BY b.id LIMIT 20
  """
)

private let selectPaused = SQLStatement(
  "health.paused",
  """
  SELECT id, left(name, 200), pause_reason FROM batch
  WHERE state = 1 AND paused_by = 'rawmill' AND pause_reason IS NOT NULL ORDER BY id LIMIT 20
  """
)

/// Batches that wait for one that never finishes.
private let selectForsaken = SQLStatement(
  "health.forsaken",
  """
  SELECT b.id, left(b.name, 200), a.id FROM batch b JOIN batch a ON a.id = b.after_batch
  WHERE b.finished_at IS NULL AND b.state < 2 AND a.state = 2 ORDER BY b.id LIMIT 20
  """
)

private let selectLeases = SQLStatement(
  "health.leases",
  """
  SELECT l.job_id, l.worker_id, extract(epoch FROM clock_timestamp() - l.claimed_at)::float8,
    EXISTS (SELECT FROM worker w WHERE w.id = l.worker_id AND w.state < 2)
  FROM lease l ORDER BY l.claimed_at
  """
)

private let selectWorkers = SQLStatement(
  "health.workers",
  """
  SELECT id, host, version, extract(epoch FROM clock_timestamp() - beat_at)::float8
  FROM worker WHERE state < 2 ORDER BY id
  """
)

private let selectBacklog = SQLStatement(
  "health.backlog",
  """
  SELECT
    coalesce(extract(epoch FROM clock_timestamp()
      - (SELECT min(run_at) FROM job WHERE run_at IS NOT NULL)), 0)::float8,
    (SELECT count(*) FROM tally)::float8
  """
)

private let selectDeliveries = SQLStatement(
  "health.deliveries",
  """
  SELECT receiver, count(*) FILTER (WHERE given_up_at IS NOT NULL),
    count(*) FILTER (WHERE given_up_at IS NULL), min(error)
  FROM delivery
  WHERE delivered_at IS NULL AND error IS NOT NULL AND (given_up_at IS NULL AND attempts >= 3
    OR given_up_at > clock_timestamp() - interval '7 days')
  GROUP BY receiver ORDER BY receiver
  """
)

extension JobStore {
  /// Batches, leases, workers and deliveries that don't go on.
  ///
  /// `pause` is called between two looks at batches: one in which nothing happens meanwhile, though a
  /// worker has a slot free for it, is stuck. Workers ask twice a second.
  package func queueHealth(
    _ limits: HealthLimits,
    programVersion: String,
    pause: () -> Void
  ) throws(JobStoreError) -> [HealthFinding] {
    let before = try query(selectClaimable)
    pause()
    let after = try query(selectClaimable)
    let roots = try query(selectRootsOfWorkers)
    let asides = try setAside()
    return try batchFindings(before, after, roots, asides) + strandedFindings()
      + asides.map { asideFinding($0) } + leaseFindings(limits)
      + workerFindings(limits, programVersion) + backlogFindings(limits) + deliveryFindings()
  }

  private func batchFindings(
    _ before: PostgresResult,
    _ after: PostgresResult,
    _ roots: PostgresResult,
    _ asides: [SetAside]
  ) throws(JobStoreError) -> [HealthFinding] {
    try wrapping { () throws(PostgresError) in
      var marks: [Int64: String] = [:]
      for index in 0..<before.rowCount where try before[index].bool(6) {
        marks[try before[index].int64(0)] = try before[index].text(7)
      }
      let known = Set(try roots.map { (row) throws(PostgresError) in try row.text(0) })
      var findings: [HealthFinding] = []
      for index in 0..<after.rowCount {
        let row = after[index]
        let id = try row.int64(0)
        let name = "batch \(id) (\(try row.text(1)))"
        let hosts = try row.textArray(4)
        if try !row.bool(3) {
          findings.append(
            HealthFinding(
              .critical,
              "noWorker",
              "\(name) has jobs that wait, and no worker lives",
              "start rawmill worker"
            )
          )
        } else if hosts.isEmpty {
          let wanted = try row.textArray(2)
          let missing = wanted.filter { !known.contains($0) }
          findings.append(
            HealthFinding(
              .critical,
              "rootsUnreachable",
              missing.isEmpty
                ? "\(name) needs the roots \(wanted.joined(separator: ", ")), and no one worker has all"
                : "\(name) needs the roots \(missing.joined(separator: ", ")), which no worker has",
              "start a worker with --root NAME=FOLDER for each"
            )
          )
        } else if try !row.bool(5) {
          let roots = try row.textArray(2)
          let reasons = asides.filter { aside in
            hosts.contains(aside.host) && (aside.root.map { roots.contains($0) } ?? true)
          }
          findings.append(allAsideFinding(name, reasons))
        } else if try row.bool(6), marks[id] == (try row.text(7)) {
          findings.append(
            HealthFinding(
              .critical,
              "batchStuck",
              "\(name) has jobs that wait and a worker has a free slot, but nothing is claimed",
              "look at the workers' logs; rawmill drain WORKER and start it anew"
            )
          )
        }
      }
      return findings
    }
  }

  private func strandedFindings() throws(JobStoreError) -> [HealthFinding] {
    let stranded = try query(selectStranded)
    let paused = try query(selectPaused)
    let forsaken = try query(selectForsaken)
    return try wrapping { () throws(PostgresError) in
      var findings = try stranded.map { (row) throws(PostgresError) in
        HealthFinding(
          .critical,
          "batchStranded",
          "batch \(try row.int64(0)) (\(try row.text(1))) has jobs that wait, but claims pass it by",
          "UPDATE batch SET has_ready = true WHERE id = \(try row.int64(0)), and report this: it is a "
            + "fault of rawmill"
        )
      }
      findings += try paused.map { (row) throws(PostgresError) in
        HealthFinding(
          .warning,
          "batchPaused",
          "batch \(try row.int64(0)) (\(try row.text(1))) paused itself: \(try row.text(2))",
          "see rawmill errors \(try row.int64(0)), then rawmill resume or cancel it"
        )
      }
      findings += try forsaken.map { (row) throws(PostgresError) in
        HealthFinding(
          .warning,
          "predecessorCancelled",
          "batch \(try row.int64(0)) (\(try row.text(1))) waits for batch \(try row.int64(2)), which was "
            + "cancelled and never finishes",
          "rawmill cancel \(try row.int64(0)), and submit its inputs again if they are still wanted"
        )
      }
      return findings
    }
  }

  private func leaseFindings(_ limits: HealthLimits) throws(JobStoreError) -> [HealthFinding] {
    let leases = try query(selectLeases)
    return try wrapping { () throws(PostgresError) in
      var findings: [HealthFinding] = []
      var orphans: [Int64] = []
      for index in 0..<leases.rowCount {
        let row = leases[index]
        let age = try row.double(2)
        let isHeld = try row.bool(3)
        if !isHeld, age >= limits.orphanSeconds { orphans.append(try row.int64(0)) }
        // The oldest comes first, and is the one to name.
        if isHeld, age >= limits.leaseSeconds, findings.isEmpty {
          findings.append(
            HealthFinding(
              .warning,
              "leaseOld",
              "job \(try row.int64(0)) has been running for \(seconds(age)) on worker "
                + "\(try row.int64(1))",
              "see whether that worker's child makes progress; kill the worker, and others take over"
            )
          )
        }
      }
      if let first = orphans.first {
        findings.append(
          HealthFinding(
            .critical,
            "leasesOrphaned",
            "\(orphans.count) jobs, \(first) among them, are held by workers that are dead",
            "start a worker: each takes such jobs back within seconds"
          )
        )
      }
      return findings
    }
  }

  private func workerFindings(
    _ limits: HealthLimits,
    _ programVersion: String
  ) throws(JobStoreError) -> [HealthFinding] {
    let workers = try query(selectWorkers)
    let schema = try schemaVersion()
    return try wrapping { () throws(PostgresError) in
      var findings: [HealthFinding] = []
      var byVersion: [String: [Int64]] = [:]
      for index in 0..<workers.rowCount {
        let row = workers[index]
        byVersion[try row.text(2), default: []].append(try row.int64(0))
        let silent = try row.double(3)
        if silent >= limits.silentSeconds {
          findings.append(
            HealthFinding(
              .warning,
              "workerSilent",
              "worker \(try row.int64(0)) on \(try row.text(1)) has not been heard of for "
                + "\(seconds(silent)), and nobody has given it up",
              "start a worker: each gives others up after 30 s; or the server's clock has jumped"
            )
          )
        }
      }
      let others = byVersion.filter { $0.key != programVersion }
      if !others.isEmpty {
        let list = byVersion.sorted { $0.key < $1.key }
          .map { "\($0.key) (\($0.value.count == 1 ? "1 worker" : "\($0.value.count) workers"))" }
        findings.append(
          HealthFinding(
            .warning,
            "versionsDiffer",
            "this is rawmill \(programVersion); workers that live run \(list.joined(separator: ", "))",
            "update them one after the other: rawmill drain WORKER, then start the new version"
          )
        )
      }
      if schema != Migrator.programVersion {
        findings.append(
          HealthFinding(
            .critical,
            "schemaDiffers",
            "the schema has version \(schema), this program needs \(Migrator.programVersion)",
            schema < Migrator.programVersion
              ? "run rawmill database migrate" : "use a newer rawmill here"
          )
        )
      }
      return findings
    }
  }

  private func backlogFindings(_ limits: HealthLimits) throws(JobStoreError) -> [HealthFinding] {
    let backlog = try query(selectBacklog)
    return try wrapping { () throws(PostgresError) in
      var findings: [HealthFinding] = []
      let overdue = try backlog[0].double(0)
      if overdue >= limits.overdueSeconds {
        findings.append(
          HealthFinding(
            .warning,
            "jobsOverdue",
            "a delayed job has been due for \(seconds(overdue)), and nobody has made it ready",
            "start a worker: each does that every second"
          )
        )
      }
      let tally = try backlog[0].double(1)
      if tally >= limits.tallyRows {
        findings.append(
          HealthFinding(
            .warning,
            "progressBehind",
            "\(Int(tally)) rows of progress were not added up: status shows too little",
            "start a worker: each does that every second"
          )
        )
      }
      return findings
    }
  }

  private func deliveryFindings() throws(JobStoreError) -> [HealthFinding] {
    let deliveries = try query(selectDeliveries)
    return try wrapping { () throws(PostgresError) in
      try deliveries.map { (row) throws(PostgresError) in
        let given = try row.int64(1)
        let waiting = try row.int64(2)
        return HealthFinding(
          .warning,
          "deliveriesFail",
          "\(try row.text(0)) was not told of \(given + waiting) events, \(given) of them given up: "
            + "\(try row.text(3))",
          "see to the receiver; rawmill notify tries again by itself what is not given up"
        )
      }
    }
  }
}
