internal import Diagnostics
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime
internal import Worker

/// What a worker tells people and programs that watch it: its log, its events and its metrics.
struct WorkerReporter: Sendable {
  let log: Log
  let events: EventStream
  let metrics: WorkerMetrics

  func report(_ event: WorkerEvent) {
    metrics.count(event)
    switch event {
    case .registered(let id):
      say(.info, "workerRegistered", "worker \(id) waits for work", ["worker": .init(id.rawValue)])
    case .claimed(let count, let duration):
      guard count > 0 else { return }
      log.write(
        .debug,
        "claimed",
        "claimed \(Quantity.count(count, "job"))",
        ["jobs": .init(count), "seconds": .init(duration / .seconds(1))]
      )
    case .started(let job):
      say(.debug, "jobStarted", "\(job.input.location): started", about: job)
    case .stage(let job, let name):
      let members: KeyValuePairs<String, JSONValue?> = [
        "job": .init(job.rawValue), "name": .string(name),
      ]
      say(.debug, "jobStage", "job \(job): \(name)", members)
    case .progress: break
    case .completed(let job, let report):
      say(
        .info,
        "jobDone",
        "\(job.input.location): done",
        about: job,
        [("pixels", .init(report.pixels)), ("outputBytes", .init(report.outputBytes))]
      )
    case .failed(let job, let failure, let decision): self.report(job, failure, decision)
    case .released(let job):
      say(.debug, "jobReleased", "job \(job): given back", ["job": .init(job.rawValue)])
    case .cancelled(let job):
      say(.info, "jobCancelled", "job \(job): cancelled", ["job": .init(job.rawValue)])
    case .buried(let workers):
      say(
        .info,
        "workersBuried",
        "gave up \(Quantity.count(workers.count, "worker")) that ended without a word",
        ["workers": .array(workers.map { .init($0.rawValue) })]
      )
    case .leasesLost:
      say(.warning, "leasesLost", "this worker was given up for dead: all work was stopped")
    case .leasesInDoubt:
      say(
        .warning,
        "leasesInDoubt",
        "the database was not reached in time: nothing is published until it answers"
      )
    case .leasesStand:
      say(.info, "leasesStand", "the database answers again: work goes on")
    case .setAside(let list):
      let members: KeyValuePairs<String, JSONValue?> = [
        "roots": .array(list.map { .string($0.root ?? "") }),
        "reasons": .array(list.map { .string($0.reason) }),
      ]
      let texts = list.map { aside in
        let what = aside.root.map { "root \($0) is" } ?? "this host is"
        let left = aside.untilMicroseconds - SystemInformation.wallClockNanoseconds / 1_000
        return "\(what) set aside for \(Quantity.duration(.microseconds(max(0, left)))): "
          + aside.reason
      }
      say(
        list.isEmpty ? .info : .warning,
        "setAside",
        list.isEmpty ? "nothing of this host is set aside any more" : texts.joined(separator: "; "),
        members
      )
    case .rootsMissing(let roots):
      let members: KeyValuePairs<String, JSONValue?> = [
        "roots": .array(roots.map { .string($0) })
      ]
      say(
        roots.isEmpty ? .debug : .info,
        "rootsMissing",
        roots.isEmpty
          ? "no work waits for roots"
          : "work waits for workers with the roots \(roots.joined(separator: ", "))",
        members
      )
    case .databaseFailed(let reason):
      log.write(
        .warning,
        "databaseFailed",
        "the database failed and will be asked again: \(reason)"
      )
      events.emit("databaseFailed", ["message": .string(reason)])
    case .outdated(let error):
      say(
        .warning,
        "workerOutdated",
        "\(error.message); finishing what runs",
        ["code": .string(error.code.rawValue)]
      )
    case .draining: say(.info, "workerDraining", "draining")
    case .ended: say(.debug, "workerEnded", "ended")
    }
  }

  private func report(
    _ job: ClaimedJob,
    _ failure: JobFailure,
    _ decision: RetryPolicy.Decision?
  ) {
    var delay: Int64?
    if case .retry(let milliseconds) = decision { delay = milliseconds }
    let next = delay.map { ", next attempt in \(Quantity.duration(.milliseconds($0)))" } ?? ""
    say(
      .info,
      "jobFailed",
      "\(job.input.location): \(failure.message) [\(failure.code)]\(next)",
      about: job,
      [
        ("class", .string("\(failure.failureClass)")), ("code", .string(failure.code.rawValue)),
        ("retryAfterMilliseconds", delay.map { .init($0) }),
      ],
      reason: failure.message
    )
  }

  /// A line about a job; `reason` is the event's message.
  private func say(
    _ level: LogLevel,
    _ event: String,
    _ text: String,
    about job: ClaimedJob,
    _ more: [(String, JSONValue?)] = [],
    reason: String? = nil
  ) {
    var members: [(String, JSONValue)] = [
      ("batch", .init(job.batch.rawValue)), ("job", .init(job.id.rawValue)),
      ("attempt", .init(job.attempt)), ("input", .string(job.input.location.description)),
    ]
    if let worker = metrics.worker { members.insert(("worker", .init(worker.rawValue)), at: 2) }
    // The text of a path shows bytes that are not UTF-8; these are the path.
    if job.input.location.path.exactText == nil {
      members.append(("inputBytes", .string(job.input.location.path.hexText)))
    }
    for (key, value) in more {
      if let value { members.append((key, value)) }
    }
    log.write(level, event, text, members)
    if let reason { members.append(("message", .string(reason))) }
    events.emit(event, members)
  }

  private func say(
    _ level: LogLevel,
    _ event: String,
    _ text: String,
    _ members: KeyValuePairs<String, JSONValue?> = [:]
  ) {
    log.write(level, event, text, members)
    events.emit(event, members)
  }
}
