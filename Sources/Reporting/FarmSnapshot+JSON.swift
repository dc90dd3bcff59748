internal import Diagnostics
package import JSON
internal import JobModel

extension FarmSnapshot {
  /// The members of an event for programs.
  package var json: [(key: String, value: JSONValue)] {
    let running = Dictionary(grouping: running, by: \.worker)
    return [
      ("batches", .array(batches.map(\.json))),
      (
        "workers",
        .array(
          workers.map { worker in
            [
              "id": .init(worker.id.rawValue), "host": .string(worker.host),
              "state": .string("\(worker.state)"), "slots": .init(worker.slots),
              "version": .string(worker.version),
              "secondsSinceBeat": .init(worker.secondsSinceBeat),
              "running": .array(
                (running[worker.id] ?? []).map { job in
                  [
                    "job": .init(job.id.rawValue), "batch": .init(job.batch.rawValue),
                    "input": .string(job.input.description),
                    "seconds": .init(
                      max(0, microseconds - job.claimedMicroseconds) / 1_000_000
                    ),
                  ]
                }
              ),
            ]
          }
        )
      ),
      ("setAside", .array(setAside.map(\.json))),
      (
        "failures",
        .array(
          failures.map { failure in
            [
              "job": .init(failure.job.id.rawValue), "batch": .init(failure.batch.rawValue),
              "input": .string(failure.job.input.description),
              "code": .string(failure.job.failure.code.rawValue),
              "message": .string(failure.job.failure.message),
            ]
          }
        )
      ),
    ]
  }
}

extension BatchStatus {
  /// The batch for programs.
  package var json: JSONValue {
    let progress = batch.progress
    var members: [(key: String, value: JSONValue)] = [
      ("id", .init(batch.id.rawValue)), ("name", .string(batch.name)),
      ("owner", .string(batch.owner)), ("state", .string("\(batch.state)")),
      ("isSealed", .init(batch.isSealed)), ("isOver", .init(isOver)),
      ("priority", .init(batch.priority)), ("weight", .init(batch.weight)),
      ("total", .init(batch.total)), ("done", .init(progress.done)),
      ("failed", .init(progress.failed)), ("cancelled", .init(progress.cancelled)),
      ("skipped", .init(progress.skipped)), ("pixels", .init(progress.pixels)),
      ("inputBytes", .init(progress.inputBytes)), ("outputBytes", .init(progress.outputBytes)),
    ]
    if let cap = batch.maximumRunning { members.append(("maximumRunning", .init(cap))) }
    if let wait = batch.waitsFor { members.append(("waitsFor", .init(wait.batch.rawValue))) }
    if let reason = batch.pauseReason { members.append(("pauseReason", .string(reason))) }
    if let actor = batch.pausedBy { members.append(("pausedBy", .string(actor))) }
    if let jobsPerSecond { members.append(("jobsPerSecond", .init(jobsPerSecond))) }
    return .object(members)
  }
}
