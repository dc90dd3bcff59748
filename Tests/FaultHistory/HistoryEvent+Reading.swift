extension HistoryEvent {
  /// The event of this name; nil where something of it is missing.
  init?(_ name: String, _ members: MemberReader) {
    let event: HistoryEvent? =
      switch name {
      case "run": Self.run(members)
      case "submitted": Self.submitted(members)
      case "injected": Self.injected(members)
      case "ended": members.number("fault").map { .ended(fault: $0) }
      case "recovered": members.number("fault").map { .recovered(fault: $0) }
      case "running": Self.pair(members, "batch", "count").map { .running(batch: $0, count: $1) }
      case "claimed": members.number("microseconds").map { .claimed(microseconds: $0) }
      case "published": Self.published(members)
      case "withdrawn": Self.withdrawn(members)
      case "foreign": Self.foreign(members)
      case "lease": Self.pair(members, "job", "worker").map { .lease(job: $0, worker: $1) }
      case "worker": Self.pair(members, "id", "state").map { .worker(id: $0, state: $1) }
      case "file": Self.file(members)
      case "job": Self.job(members)
      case "provenance": Self.attemptRow(members).map { .provenance($0) }
      case "attempt": Self.attemptRow(members).map { .attempt($0) }
      case "output": Self.output(members)
      case "batch": Self.batch(members)
      default: nil
      }
    guard let event else { return nil }
    self = event
  }

  private static func pair(
    _ members: MemberReader,
    _ first: String,
    _ second: String
  ) -> (Int64, Int64)? {
    guard let a = members.number(first), let b = members.number(second) else { return nil }
    return (a, b)
  }

  private static func run(_ members: MemberReader) -> HistoryEvent? {
    guard let name = members.text("name"), let seed = members.text("seed").flatMap(UInt64.init),
      let lease = members.number("leaseMilliseconds"),
      let delay = members.number("delayMilliseconds"),
      let slack = members.number("slackMilliseconds"),
      let bound = members.number("claimBoundMicroseconds")
    else { return nil }
    return .run(
      HistoryRun(
        name: name,
        seed: seed,
        leaseMilliseconds: lease,
        delayMilliseconds: delay,
        slackMilliseconds: slack,
        claimBoundMicroseconds: bound
      )
    )
  }

  private static func submitted(_ members: MemberReader) -> HistoryEvent? {
    guard let input = members.text("input"),
      let expected = members.text("expected").flatMap({ Expectation($0) })
    else { return nil }
    return .submitted(input: input, expected: expected)
  }

  private static func injected(_ members: MemberReader) -> HistoryEvent? {
    guard let fault = members.number("fault"), let kind = members.text("kind"),
      let target = members.text("target"), let recovers = members.flag("recovers")
    else { return nil }
    return .injected(fault: fault, kind: kind, target: target, recovers: recovers)
  }

  private static func published(_ members: MemberReader) -> HistoryEvent? {
    guard let path = members.text("path"), let job = members.number("job"),
      let attempt = members.number("attempt"), let process = members.number("process"),
      let replacing = members.flag("replacing")
    else { return nil }
    return .published(
      path: path,
      job: job,
      attempt: attempt,
      process: process,
      replacing: replacing
    )
  }

  private static func withdrawn(_ members: MemberReader) -> HistoryEvent? {
    guard let path = members.text("path"), let process = members.number("process") else {
      return nil
    }
    return .withdrawn(path: path, process: process)
  }

  private static func foreign(_ members: MemberReader) -> HistoryEvent? {
    guard let path = members.text("path"), let sha256 = members.text("sha256") else { return nil }
    return .foreign(path: path, sha256: sha256)
  }

  private static func file(_ members: MemberReader) -> HistoryEvent? {
    guard let path = members.text("path"), let size = members.number("size"),
      let sha256 = members.text("sha256")
    else { return nil }
    return .file(path: path, size: size, sha256: sha256)
  }

  private static func job(_ members: MemberReader) -> HistoryEvent? {
    guard let id = members.number("id"), let batch = members.number("batch"),
      let input = members.text("input"), let attempt = members.number("attempt"),
      let outputs = members.number("outputs")
    else { return nil }
    return .job(
      HistoryRow.Job(
        id: id,
        batch: batch,
        input: input,
        outcome: members.number("outcome"),
        attempt: attempt,
        outputs: outputs,
        failureCode: members.text("failureCode")
      )
    )
  }

  private static func attemptRow(_ members: MemberReader) -> HistoryRow.Attempt? {
    guard let job = members.number("job"), let attempt = members.number("attempt"),
      let batch = members.number("batch"), let worker = members.number("worker"),
      let claimed = members.number("claimedAt"), let ended = members.number("endedAt")
    else { return nil }
    return HistoryRow.Attempt(
      job: job,
      attempt: attempt,
      batch: batch,
      worker: worker,
      claimedAt: claimed,
      endedAt: ended,
      ending: members.number("ending")
    )
  }

  private static func output(_ members: MemberReader) -> HistoryEvent? {
    guard let job = members.number("job"), let attempt = members.number("attempt"),
      let path = members.text("path"), let size = members.number("size"),
      let sha256 = members.text("sha256"), let isPublished = members.flag("isPublished")
    else { return nil }
    return .output(
      HistoryRow.Output(
        job: job,
        attempt: attempt,
        path: path,
        size: size,
        sha256: sha256,
        isPublished: isPublished
      )
    )
  }

  private static func batch(_ members: MemberReader) -> HistoryEvent? {
    guard let id = members.number("id"), let state = members.number("state"),
      let total = members.number("total"), let done = members.number("done"),
      let failed = members.number("failed"), let cancelled = members.number("cancelled"),
      let isFinished = members.flag("isFinished")
    else { return nil }
    return .batch(
      HistoryRow.Batch(
        id: id,
        state: state,
        total: total,
        done: done,
        failed: failed,
        cancelled: cancelled,
        isFinished: isFinished,
        cap: members.number("cap")
      )
    )
  }
}
