import FaultHistory
import Testing

/// The checker accepts a good history, and finds in each broken one what was broken, and only that.
@Suite struct HistoryCheckerTests {
  private static let second: Int64 = 1_000_000_000

  private static func attempt(
    _ job: Int64,
    _ attempt: Int64,
    _ from: Int64,
    _ to: Int64,
    ending: Int64? = nil
  ) -> HistoryRow.Attempt {
    HistoryRow.Attempt(
      job: job,
      attempt: attempt,
      batch: 1,
      worker: 1,
      claimedAt: from,
      endedAt: to,
      ending: ending
    )
  }

  private static func output(_ job: Int64, _ attempt: Int64) -> HistoryRow.Output {
    HistoryRow.Output(
      job: job,
      attempt: attempt,
      path: "out/\(job).tif",
      size: 100,
      sha256: "digest\(job)",
      isPublished: true
    )
  }

  /// Four jobs: one done at once, one done after a crash whose file the next attempt replaced, one that
  /// failed, one that was cancelled; a cap of 2; a fault that was recovered from.
  private static let good: [HistoryEvent] = [
    .run(HistoryRun(name: "example")),
    .submitted(input: "in/1.dng", expected: .done),
    .submitted(input: "in/2.dng", expected: .done),
    .submitted(input: "in/3.dng", expected: .failed(["inputDamaged"])),
    .submitted(input: "in/4.dng", expected: .cancelled),
    .foreign(path: "out/mine.txt", sha256: "mine"),
    .claimed(microseconds: 900),
    .published(path: "out/1.tif", job: 1, attempt: 1, process: 10, replacing: false),
    .published(path: "out/2.tif", job: 2, attempt: 1, process: 10, replacing: false),
    .injected(fault: 1, kind: "kill", target: "worker", recovers: true),
    .ended(fault: 1),
    .running(batch: 1, count: 2),
    .published(path: "out/2.tif", job: 2, attempt: 2, process: 11, replacing: true),
    .recovered(fault: 1),
    .job(HistoryRow.Job(id: 1, batch: 1, input: "in/1.dng", outcome: 1, attempt: 1, outputs: 1)),
    .job(HistoryRow.Job(id: 2, batch: 1, input: "in/2.dng", outcome: 1, attempt: 2, outputs: 1)),
    .job(
      HistoryRow.Job(
        id: 3,
        batch: 1,
        input: "in/3.dng",
        outcome: 2,
        attempt: 1,
        outputs: 1,
        failureCode: "inputDamaged"
      )
    ),
    .job(HistoryRow.Job(id: 4, batch: 1, input: "in/4.dng", outcome: 3, attempt: 0, outputs: 1)),
    .provenance(attempt(1, 1, 10, 20)),
    .attempt(attempt(2, 1, 10, 30, ending: 1)),
    .provenance(attempt(2, 2, 40, 50)),
    .attempt(attempt(3, 1, 30, 40, ending: 2)),
    .output(output(1, 1)),
    .output(output(2, 2)),
    .worker(id: 1, state: 2),
    .batch(
      HistoryRow.Batch(id: 1, state: 3, total: 4, done: 2, failed: 1, cancelled: 1, cap: 2)
    ),
    .file(path: "out/1.tif", size: 100, sha256: "digest1"),
    .file(path: "out/2.tif", size: 100, sha256: "digest2"),
    .file(path: "out/mine.txt", size: 4, sha256: "mine"),
  ]

  private static func history(_ events: [HistoryEvent]) -> History {
    History(
      events.enumerated().map { index, event in
        History.Entry(time: Int64(index) * second / 10, event: event)
      }
    )
  }

  @Test func aGoodHistoryIsClean() {
    let report = HistoryChecker.check(Self.history(Self.good))
    #expect(report.isClean, "\(report.violations)")
    #expect(report.jobs == 4)
    #expect(report.faults == ["kill": 1])
    for invariant in Invariant.allCases {
      #expect(report.checked[invariant, default: 0] > 0, "\(invariant) was checked on nothing")
    }
  }

  @Test func aHistoryIsReadAsItWasWritten() throws {
    let history = Self.history(Self.good + [.lease(job: 1, worker: 2)])
    #expect(try History(jsonLines: history.jsonLines) == history)
    #expect(throws: HistoryError.notAnEvent(line: 2)) {
      try History(jsonLines: history.jsonLines.prefix { $0 != 10 } + Array("\n{\"time\":1}\n".utf8))
    }
  }

  /// One way to break the good history.
  struct Break: Sendable, CustomTestStringConvertible {
    var name: String
    var invariants: Set<Invariant>
    var change: @Sendable ([HistoryEvent]) -> [HistoryEvent]

    var testDescription: String { name }
  }

  private static func replacing(
    _ old: HistoryEvent,
    by new: HistoryEvent...
  ) -> @Sendable ([HistoryEvent]) -> [HistoryEvent] {
    precondition(good.contains(old), "the good history lacks the event")
    return { events in events.flatMap { $0 == old ? new : [$0] } }
  }

  private static let jobOne = HistoryRow.Job(
    id: 1,
    batch: 1,
    input: "in/1.dng",
    outcome: 1,
    attempt: 1,
    outputs: 1
  )
  private static let batch = HistoryRow.Batch(
    id: 1,
    state: 3,
    total: 4,
    done: 2,
    failed: 1,
    cancelled: 1,
    cap: 2
  )

  private static func changed<Row>(_ row: Row, _ change: (inout Row) -> Void) -> Row {
    var copy = row
    change(&copy)
    return copy
  }

  private static let breaks: [Break] = [
    Break(
      name: "a job never ends",
      invariants: [.oneOutcome, .oneProvenance, .filesAsRecorded],
      change: replacing(.job(jobOne), by: .job(changed(jobOne) { $0.outcome = nil }))
    ),
    Break(
      name: "a job that should have failed is done",
      invariants: [.oneOutcome],
      change: replacing(
        .submitted(input: "in/1.dng", expected: .done),
        by: .submitted(input: "in/1.dng", expected: .failed(["inputDamaged"]))
      )
    ),
    Break(
      name: "a failure is of another code",
      invariants: [.oneOutcome],
      change: replacing(
        .submitted(input: "in/3.dng", expected: .failed(["inputDamaged"])),
        by: .submitted(input: "in/3.dng", expected: .failed(["inputMissing"]))
      )
    ),
    Break(
      name: "an attempt never ended",
      invariants: [.oneOutcome],
      change: replacing(.attempt(attempt(2, 1, 10, 30, ending: 1)))
    ),
    Break(
      name: "an attempt ended twice",
      invariants: [.oneOutcome],
      change: replacing(
        .attempt(attempt(3, 1, 30, 40, ending: 2)),
        by: .attempt(attempt(3, 1, 30, 40, ending: 2)),
        .attempt(attempt(3, 1, 41, 42, ending: 3))
      )
    ),
    Break(
      name: "progress counts a job twice",
      invariants: [.oneOutcome],
      change: replacing(.batch(batch), by: .batch(changed(batch) { $0.done = 3 }))
    ),
    Break(
      name: "a batch does not finish",
      invariants: [.oneOutcome],
      change: replacing(.batch(batch), by: .batch(changed(batch) { $0.isFinished = false }))
    ),
    Break(
      name: "two provenance rows",
      invariants: [.oneProvenance, .oneOutcome],
      change: replacing(
        .provenance(attempt(2, 2, 40, 50)),
        by: .provenance(attempt(2, 2, 40, 50)),
        .provenance(attempt(2, 3, 60, 70))
      )
    ),
    Break(
      name: "no provenance row",
      invariants: [.oneProvenance, .oneOutcome],
      change: replacing(.provenance(attempt(1, 1, 10, 20)))
    ),
    Break(
      name: "a file has other bytes",
      invariants: [.filesAsRecorded],
      change: replacing(
        .file(path: "out/1.tif", size: 100, sha256: "digest1"),
        by: .file(path: "out/1.tif", size: 100, sha256: "torn")
      )
    ),
    Break(
      name: "a file is missing",
      invariants: [.filesAsRecorded],
      change: replacing(.file(path: "out/1.tif", size: 100, sha256: "digest1"))
    ),
    Break(
      name: "a file belongs to nobody",
      invariants: [.filesAsRecorded],
      change: { $0 + [.file(path: "out/4.tif", size: 1, sha256: "x")] }
    ),
    Break(
      name: "a stranger's file is overwritten",
      invariants: [.filesAsRecorded],
      change: replacing(
        .file(path: "out/mine.txt", size: 4, sha256: "mine"),
        by: .file(path: "out/mine.txt", size: 100, sha256: "digest1")
      )
    ),
    Break(
      name: "an earlier attempt publishes after a later one",
      invariants: [.publishedOnce],
      change: {
        $0 + [.published(path: "out/2.tif", job: 2, attempt: 1, process: 10, replacing: true)]
      }
    ),
    Break(
      name: "an attempt publishes after another has done the job",
      invariants: [.publishedOnce],
      change: {
        $0 + [.published(path: "out/1.tif", job: 1, attempt: 2, process: 12, replacing: true)]
      }
    ),
    Break(
      name: "one name for two jobs",
      invariants: [.publishedOnce],
      change: {
        $0 + [.published(path: "out/1.tif", job: 2, attempt: 2, process: 12, replacing: true)]
      }
    ),
    Break(
      name: "an input got lost",
      invariants: [.noneLost],
      change: { $0 + [.submitted(input: "in/5.dng", expected: .done)] }
    ),
    Break(
      name: "an input has two jobs",
      invariants: [.noneLost, .oneOutcome],
      change: {
        $0.map { event in
          guard case .job(var job) = event, job.id == 4 else { return event }
          job.input = "in/3.dng"
          return .job(job)
        }
      }
    ),
    Break(
      name: "a fault is never recovered from",
      invariants: [.recoversInTime],
      change: replacing(.recovered(fault: 1))
    ),
    Break(
      name: "more run than the cap allows, by the rows",
      invariants: [.capKept],
      change: replacing(
        .attempt(attempt(3, 1, 30, 40, ending: 2)),
        by: .attempt(attempt(3, 1, 15, 40, ending: 2))
      )
    ),
    Break(
      name: "more run than the cap allows, by what was seen",
      invariants: [.capKept],
      change: replacing(.running(batch: 1, count: 2), by: .running(batch: 1, count: 3))
    ),
    Break(
      name: "claims are slow",
      invariants: [.claimIsQuick],
      change: replacing(.claimed(microseconds: 900), by: .claimed(microseconds: 900_000))
    ),
    Break(
      name: "a lease is left",
      invariants: [.noLease],
      change: { $0 + [.lease(job: 1, worker: 1)] }
    ),
    Break(
      name: "a temporary is left",
      invariants: [.noTemporary],
      change: { $0 + [.file(path: "out/.1.tif.1.1.tmp", size: 0, sha256: "x")] }
    ),
  ]

  @Test(arguments: breaks) func aBrokenHistoryIsFound(_ broken: Break) {
    let report = HistoryChecker.check(Self.history(broken.change(Self.good)))
    let found = Set(report.broken.keys)
    #expect(found == broken.invariants, "\(report.violations)")
  }

  @Test func everyInvariantIsBrokenByOneOfThem() {
    let broken = Self.breaks.reduce(into: Set<Invariant>()) { $0.formUnion($1.invariants) }
    #expect(broken == Set(Invariant.allCases))
  }

  @Test func aLateRecoveryIsFound() {
    let history = History(
      Self.history(Self.good).entries.map { entry in
        let isLate = entry.event == .recovered(fault: 1)
        return History.Entry(time: entry.time + (isLate ? 60 * Self.second : 0), event: entry.event)
      }
    )
    #expect(Set(HistoryChecker.check(history).broken.keys) == [.recoversInTime])
  }

  @Test func aWithdrawnNameMayBeGivenAgain() {
    let events =
      Self.good.prefix { $0 != .claimed(microseconds: 900) } + [
        .published(path: "out/1.tif", job: 1, attempt: 1, process: 9, replacing: false),
        .withdrawn(path: "out/1.tif", process: 9),
      ] + Self.good.drop { $0 != .claimed(microseconds: 900) }
    #expect(HistoryChecker.check(Self.history(Array(events))).isClean)
  }
}
