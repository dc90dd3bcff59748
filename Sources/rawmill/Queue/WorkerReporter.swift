internal import Diagnostics
internal import JSON
internal import JobModel
internal import ServiceRuntime
internal import Worker

/// What a worker tells people and programs that watch it.
struct WorkerReporter: Sendable {
  let log: Log
  let events: EventStream
  /// Leaves out everything but what keeps the worker from working.
  let isQuiet: Bool

  func report(_ event: WorkerEvent) {
    switch event {
    case .registered(let id):
      say("worker \(id) waits for work")
      events.emit("workerRegistered", ["worker": .init(id.rawValue)])
    case .started(let job, let attempt, let input):
      events.emit(
        "jobStarted",
        [
          "job": .init(job.rawValue), "attempt": .init(attempt),
          "input": .string(input.description),
        ]
      )
    case .stage(let job, let name):
      events.emit("jobStage", ["job": .init(job.rawValue), "name": .string(name)])
    case .progress: break
    case .completed(let job, let input, let pixels):
      say("\(input): done")
      events.emit(
        "jobDone",
        [
          "job": .init(job.rawValue), "input": .string(input.description), "pixels": .init(pixels),
        ]
      )
    case .failed(let job, let input, let failure, let decision):
      report(job, input, failure, decision)
    case .released(let job): events.emit("jobReleased", ["job": .init(job.rawValue)])
    case .cancelled(let job): events.emit("jobCancelled", ["job": .init(job.rawValue)])
    case .buried(let workers):
      say("gave up \(Quantity.count(workers.count, "worker")) that ended without a word")
      events.emit("workersBuried", ["workers": .array(workers.map { .init($0.rawValue) })])
    case .leasesLost:
      log.warning("the leases could not be kept: all work was stopped")
      events.emit("leasesLost")
    case .rootsMissing(let roots):
      if !roots.isEmpty {
        say("work waits for workers with the roots \(roots.joined(separator: ", "))")
      }
      events.emit("rootsMissing", ["roots": .array(roots.map { .string($0) })])
    case .databaseFailed(let reason):
      log.warning("the database failed and will be asked again: \(reason)")
      events.emit("databaseFailed", ["message": .string(reason)])
    case .draining:
      say("draining")
      events.emit("workerDraining")
    case .ended: events.emit("workerEnded")
    }
  }

  private func report(
    _ job: JobID,
    _ input: FileLocation,
    _ failure: JobFailure,
    _ decision: RetryPolicy.Decision?
  ) {
    var delay: Int64?
    if case .retry(let milliseconds) = decision { delay = milliseconds }
    let next = delay.map { ", next attempt in \(Quantity.duration(.milliseconds($0)))" } ?? ""
    say("\(input): \(failure.message) [\(failure.code)]\(next)")
    events.emit(
      "jobFailed",
      [
        "job": .init(job.rawValue), "input": .string(input.description),
        "code": .string(failure.code.rawValue), "message": .string(failure.message),
        "retryAfterMilliseconds": delay.map { .init($0) },
      ]
    )
  }

  private func say(_ text: String) {
    if !isQuiet { log.info(text) }
  }
}
