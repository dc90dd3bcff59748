/// Proves the invariants of the queue from a history, without a database and without files.
package struct HistoryChecker {
  private var report = HistoryReport()
  private var run = HistoryRun(name: "")
  private var expected: [String: Expectation] = [:]
  private var jobs: [Int64: HistoryRow.Job] = [:]
  private var jobsByInput: [String: Int] = [:]
  private var provenance: [Int64: [HistoryRow.Attempt]] = [:]
  private var attempts: [Int64: [HistoryRow.Attempt]] = [:]
  private var outputs: [Int64: [HistoryRow.Output]] = [:]
  private var batches: [HistoryRow.Batch] = []
  private var files: [String: (size: Int64, sha256: String)] = [:]
  private var foreign: [String: String] = [:]

  private init() {}

  /// Checks a history that has come to its end.
  package static func check(_ history: History) -> HistoryReport {
    var checker = HistoryChecker()
    checker.collect(history)
    checker.checkJobs()
    checker.checkBatches()
    checker.checkFiles()
    checker.checkNames(history)
    checker.checkRecovery(history)
    checker.checkCaps(history)
    checker.checkClaims(history)
    return checker.report
  }

  private mutating func collect(_ history: History) {
    for entry in history.entries {
      switch entry.event {
      case .run(let run): self.run = run
      case .submitted(let input, let expected): self.expected[input] = expected
      case .injected(_, let kind, _, _): report.faults[kind, default: 0] += 1
      case .job(let row):
        report.check(.noneLost, jobs[row.id] == nil, "job \(row.id) stands there twice")
        jobs[row.id] = row
        jobsByInput[row.input, default: 0] += 1
      case .provenance(let row): provenance[row.job, default: []].append(row)
      case .attempt(let row): attempts[row.job, default: []].append(row)
      case .output(let row): outputs[row.job, default: []].append(row)
      case .batch(let row): batches.append(row)
      case .file(let path, let size, let sha256): files[path] = (size, sha256)
      case .foreign(let path, let sha256): foreign[path] = sha256
      case .lease(let job, let worker):
        report.check(.noLease, false, "job \(job) is still leased by worker \(worker)")
      default: break
      }
    }
    report.jobs = jobs.count
    report.check(.noLease, true, "")
  }

  private mutating func checkJobs() {
    for input in expected.keys.sorted() {
      let count = jobsByInput[input] ?? 0
      report.check(.noneLost, count == 1, "\(input) was submitted and has \(count) jobs")
    }
    for job in jobs.values.sorted(by: { $0.id < $1.id }) {
      report.check(
        .noneLost,
        expected[job.input] != nil,
        "job \(job.id) is of \(job.input), which nobody submitted"
      )
      checkOutcome(job)
      checkAttempts(job)
    }
    for id in provenance.keys.sorted() where jobs[id] == nil {
      report.check(.oneProvenance, false, "provenance of job \(id), which there is not")
    }
  }

  private mutating func checkOutcome(_ job: HistoryRow.Job) {
    let rows = provenance[job.id] ?? []
    report.check(
      .oneProvenance,
      rows.count == (job.outcome == 1 ? 1 : 0),
      "job \(job.id) with outcome \(Self.text(job.outcome)) has \(rows.count) provenance rows"
    )
    report.check(
      .oneOutcome,
      (job.failureCode != nil) == (job.outcome == 2),
      "job \(job.id) with outcome \(Self.text(job.outcome)) has failure \(job.failureCode ?? "none")"
    )
    let isExpected =
      switch expected[job.input] {
      case nil, .done: job.outcome == 1
      case .cancelled: job.outcome == 3
      case .doneOrCancelled: job.outcome == 1 || job.outcome == 3
      case .failed(let codes): job.outcome == 2 && codes.contains(job.failureCode ?? "")
      }
    let wanted = expected[job.input]?.text ?? "done"
    report.check(
      .oneOutcome,
      isExpected,
      "job \(job.id) of \(job.input) has outcome \(Self.text(job.outcome)) \(job.failureCode ?? ""), "
        + "not \(wanted)"
    )
  }

  private static func text(_ outcome: Int64?) -> String { outcome.map { "\($0)" } ?? "none" }

  /// Each attempt from 1 to the last ended once, and the last one decided.
  private mutating func checkAttempts(_ job: HistoryRow.Job) {
    let ends = (provenance[job.id] ?? []) + (attempts[job.id] ?? [])
    report.check(
      .oneOutcome,
      ends.map(\.attempt).sorted() == Array(1...max(1, job.attempt)).filter { $0 <= job.attempt },
      "job \(job.id) had \(job.attempt) attempts, and these ended: \(ends.map(\.attempt).sorted())"
    )
    guard job.outcome == 1 else { return }
    let deciding = provenance[job.id]?.first?.attempt
    report.check(
      .oneOutcome,
      deciding == job.attempt,
      "job \(job.id) was done by attempt \(deciding ?? 0) of \(job.attempt)"
    )
  }

  private mutating func checkBatches() {
    for batch in batches {
      let own = jobs.values.filter { $0.batch == batch.id }
      let counts = [1, 2, 3].map { outcome in Int64(own.count { $0.outcome == outcome }) }
      report.check(
        .oneOutcome,
        counts == [batch.done, batch.failed, batch.cancelled] && batch.total == Int64(own.count)
          && batch.isFinished,
        "batch \(batch.id) of \(batch.total) counts \(batch.done), \(batch.failed), "
          + "\(batch.cancelled) for \(counts) of \(own.count), "
          + (batch.isFinished ? "finished" : "not finished")
      )
    }
  }

  private mutating func checkFiles() {
    var explained = Set(foreign.keys)
    for job in jobs.values.sorted(by: { $0.id < $1.id }) {
      let published = (outputs[job.id] ?? []).filter(\.isPublished)
      let count = job.outcome == 1 ? job.outputs : 0
      report.check(
        .filesAsRecorded,
        Int64(published.count) == count,
        "job \(job.id) has \(published.count) published outputs instead of \(count)"
      )
      for output in published {
        let isFirst = explained.insert(output.path).inserted
        report.check(.publishedOnce, isFirst, "\(output.path) is an output of two jobs")
        let file = files[output.path]
        report.check(
          .filesAsRecorded,
          file?.sha256 == output.sha256 && file?.size == output.size,
          "\(output.path) is \(file.map { "\($0.size) bytes, \($0.sha256)" } ?? "not there"), not "
            + "\(output.size) bytes, \(output.sha256)"
        )
      }
    }
    for (path, sha256) in foreign {
      report.check(
        .filesAsRecorded,
        files[path]?.sha256 == sha256,
        "the foreign file \(path) was touched"
      )
    }
    report.check(.noTemporary, true, "")
    for path in files.keys.sorted() where !explained.contains(path) {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix("."), name.hasSuffix(".tmp") {
        report.check(.noTemporary, false, "\(path) is left over")
      } else {
        report.check(.filesAsRecorded, false, "\(path) is nobody's output")
      }
    }
  }

  /// Names in the order in which they were given and taken.
  private mutating func checkNames(_ history: History) {
    var holders: [String: (job: Int64, attempt: Int64)] = [:]
    for entry in history.entries {
      switch entry.event {
      case .withdrawn(let path, _): holders[path] = nil
      case .published(let path, let job, let attempt, _, let replacing):
        let holder = holders[path]
        report.check(
          .publishedOnce,
          holder.map { $0.job == job && $0.attempt < attempt && replacing } ?? true,
          "\(path) was given by attempt \(attempt) of job \(job) after attempt "
            + "\(holder?.attempt ?? 0) of job \(holder?.job ?? 0)"
        )
        if let row = provenance[job]?.first {
          report.check(
            .publishedOnce,
            attempt <= row.attempt,
            "\(path) was given by attempt \(attempt) of job \(job), which attempt \(row.attempt) did"
          )
        }
        holders[path] = (job, attempt)
      default: break
      }
    }
  }

  private mutating func checkRecovery(_ history: History) {
    var begins: [Int64: (time: Int64, kind: String)] = [:]
    var recovered: Set<Int64> = []
    let limit = (run.leaseMilliseconds + run.delayMilliseconds + run.slackMilliseconds) * 1_000_000
    for entry in history.entries {
      switch entry.event {
      case .injected(let fault, let kind, _, true): begins[fault] = (entry.time, kind)
      case .ended(let fault):
        if let begin = begins[fault] { begins[fault] = (entry.time, begin.kind) }
      case .recovered(let fault):
        guard let begin = begins[fault] else { continue }
        recovered.insert(fault)
        report.check(
          .recoversInTime,
          entry.time - begin.time <= limit,
          "fault \(fault), \(begin.kind), took \((entry.time - begin.time) / 1_000_000) ms to "
            + "recover from instead of at most \(limit / 1_000_000)"
        )
      default: break
      }
    }
    for (fault, begin) in begins.sorted(by: { $0.key < $1.key }) where !recovered.contains(fault) {
      report.check(
        .recoversInTime,
        false,
        "fault \(fault), \(begin.kind), was never recovered from"
      )
    }
  }

  /// Attempts of a capped batch overlap in no more than the cap: by the rows, and by what was seen.
  private mutating func checkCaps(_ history: History) {
    let caps = Dictionary(
      batches.compactMap { batch in batch.cap.map { (batch.id, $0) } },
      uniquingKeysWith: { first, _ in first }
    )
    for (batch, cap) in caps.sorted(by: { $0.key < $1.key }) {
      let all = (provenance.values.flatMap(\.self) + attempts.values.flatMap(\.self))
        .filter { $0.batch == batch }
      // An end at the same microsecond comes first: its transaction was over.
      let changes = (all.map { (time: $0.claimedAt, change: 1) } + all.map { ($0.endedAt, -1) })
        .sorted { ($0.time, $0.change) < ($1.time, $1.change) }
      var running = 0
      var peak = 0
      for change in changes {
        running += change.change
        peak = max(peak, running)
      }
      report.check(
        .capKept,
        peak <= cap,
        "\(peak) jobs of batch \(batch) ran at once; its cap is \(cap)"
      )
    }
    for case .running(let batch, let count) in history.entries.map(\.event) {
      guard let cap = caps[batch] else { continue }
      report.check(
        .capKept,
        count <= cap,
        "\(count) jobs of batch \(batch) were seen, above \(cap)"
      )
    }
  }

  private mutating func checkClaims(_ history: History) {
    var times: [Int64] = []
    for case .claimed(let microseconds) in history.entries.map(\.event) {
      times.append(microseconds)
    }
    guard !times.isEmpty else { return }
    times.sort()
    let p99 = times[min(times.count - 1, times.count * 99 / 100)]
    report.check(
      .claimIsQuick,
      p99 <= run.claimBoundMicroseconds,
      "the 99th percentile of \(times.count) claims is \(p99) us, above \(run.claimBoundMicroseconds)"
    )
  }
}
