internal import JSON

extension History.Entry {
  /// The entry as one object: `time`, `event`, and what belongs to it.
  var json: JSONValue {
    let (name, members) = event.members
    return .object([("time", .integer(time)), ("event", .string(name))] + members)
  }

  /// The entry that an object describes; nil if it is none.
  init?(_ value: JSONValue) {
    let reader = MemberReader(value: value)
    guard let time = reader.number("time"), let name = reader.text("event"),
      let event = HistoryEvent(name, reader)
    else { return nil }
    self.init(time: time, event: event)
  }
}

/// Members of an object by name; nil where one is missing or of another kind.
struct MemberReader {
  let value: JSONValue

  func member(_ name: String) -> JSONValue? {
    value.objectValue?.first { $0.key == name }?.value
  }

  func number(_ name: String) -> Int64? { member(name)?.integerValue }
  func text(_ name: String) -> String? { member(name)?.stringValue }
  func flag(_ name: String) -> Bool? { member(name)?.boolValue }
}

extension HistoryEvent {
  fileprivate typealias Members = [(key: String, value: JSONValue)]

  /// The event's name and what it says.
  fileprivate var members: (String, Members) {
    switch self {
    case .run(let run):
      (
        "run",
        [
          ("name", .string(run.name)), ("seed", .string(String(run.seed))),
          ("leaseMilliseconds", .integer(run.leaseMilliseconds)),
          ("delayMilliseconds", .integer(run.delayMilliseconds)),
          ("slackMilliseconds", .integer(run.slackMilliseconds)),
          ("claimBoundMicroseconds", .integer(run.claimBoundMicroseconds)),
        ]
      )
    case .submitted(let input, let expected):
      ("submitted", [("input", .string(input)), ("expected", .string(expected.text))])
    case .injected(let fault, let kind, let target, let recovers):
      (
        "injected",
        [
          ("fault", .integer(fault)), ("kind", .string(kind)), ("target", .string(target)),
          ("recovers", .bool(recovers)),
        ]
      )
    case .ended(let fault): ("ended", [("fault", .integer(fault))])
    case .recovered(let fault): ("recovered", [("fault", .integer(fault))])
    case .running(let batch, let count):
      ("running", [("batch", .integer(batch)), ("count", .integer(count))])
    case .claimed(let microseconds): ("claimed", [("microseconds", .integer(microseconds))])
    case .published(let path, let job, let attempt, let process, let replacing):
      (
        "published",
        [
          ("path", .string(path)), ("job", .integer(job)), ("attempt", .integer(attempt)),
          ("process", .integer(process)), ("replacing", .bool(replacing)),
        ]
      )
    case .withdrawn(let path, let process):
      ("withdrawn", [("path", .string(path)), ("process", .integer(process))])
    case .foreign(let path, let sha256):
      ("foreign", [("path", .string(path)), ("sha256", .string(sha256))])
    case .lease(let job, let worker):
      ("lease", [("job", .integer(job)), ("worker", .integer(worker))])
    case .worker(let id, let state):
      ("worker", [("id", .integer(id)), ("state", .integer(state))])
    case .file(let path, let size, let sha256):
      (
        "file",
        [("path", .string(path)), ("size", .integer(size)), ("sha256", .string(sha256))]
      )
    case .job(let row): ("job", Self.members(row))
    case .provenance(let row): ("provenance", Self.members(row))
    case .attempt(let row): ("attempt", Self.members(row))
    case .output(let row): ("output", Self.members(row))
    case .batch(let row): ("batch", Self.members(row))
    }
  }

  private static func members(_ row: HistoryRow.Job) -> Members {
    [
      ("id", .integer(row.id)), ("batch", .integer(row.batch)), ("input", .string(row.input)),
      ("outcome", row.outcome.map { .integer($0) } ?? .null), ("attempt", .integer(row.attempt)),
      ("outputs", .integer(row.outputs)),
      ("failureCode", row.failureCode.map { .string($0) } ?? .null),
    ]
  }

  private static func members(_ row: HistoryRow.Attempt) -> Members {
    [
      ("job", .integer(row.job)), ("attempt", .integer(row.attempt)),
      ("batch", .integer(row.batch)), ("worker", .integer(row.worker)),
      ("claimedAt", .integer(row.claimedAt)), ("endedAt", .integer(row.endedAt)),
      ("ending", row.ending.map { .integer($0) } ?? .null),
    ]
  }

  private static func members(_ row: HistoryRow.Output) -> Members {
    [
      ("job", .integer(row.job)), ("attempt", .integer(row.attempt)), ("path", .string(row.path)),
      ("size", .integer(row.size)), ("sha256", .string(row.sha256)),
      ("isPublished", .bool(row.isPublished)),
    ]
  }

  private static func members(_ row: HistoryRow.Batch) -> Members {
    [
      ("id", .integer(row.id)), ("state", .integer(row.state)), ("total", .integer(row.total)),
      ("done", .integer(row.done)), ("failed", .integer(row.failed)),
      ("cancelled", .integer(row.cancelled)), ("isFinished", .bool(row.isFinished)),
      ("cap", row.cap.map { .integer($0) } ?? .null),
    ]
  }
}
