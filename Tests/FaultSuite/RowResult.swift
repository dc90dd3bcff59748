internal import FaultHistory
internal import JSON

/// How a row went.
struct RowResult {
  enum Verdict: Equatable {
    case passed
    case failed(String)
    case skipped(String)
  }

  var name: String
  var verdict: Verdict
  var report: HistoryReport?
  var seconds: Double

  /// What was injected, by kind, and what was checked, by invariant.
  var line: String {
    var parts: [String] = []
    switch verdict {
    case .passed: parts.append("ok      \(name)")
    case .failed(let reason): parts.append("FAILED  \(name): \(reason)")
    case .skipped(let reason): parts.append("skipped \(name): \(reason)")
    }
    if let report {
      parts.append("\(report.jobs) jobs")
      let faults = report.faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      if !faults.isEmpty { parts.append("injected " + faults.joined(separator: ", ")) }
      let checks = Invariant.allCases.compactMap { invariant in
        report.checked[invariant].map { "\(invariant.rawValue) \($0)" }
      }
      parts.append("checked " + checks.joined(separator: ", "))
    }
    parts.append("\(Int(seconds.rounded())) s")
    return parts.joined(separator: "; ")
  }

  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [("row", .string(name))]
    switch verdict {
    case .passed: members.append(("result", "passed"))
    case .failed(let reason): members += [("result", "failed"), ("reason", .string(reason))]
    case .skipped(let reason): members += [("result", "skipped"), ("reason", .string(reason))]
    }
    members.append(("seconds", .number(seconds)))
    if let report {
      members += [
        ("jobs", .init(report.jobs)),
        (
          "faults",
          .object(report.faults.sorted { $0.key < $1.key }.map { ($0.key, .init($0.value)) })
        ),
        (
          "checked",
          .object(
            Invariant.allCases.compactMap { invariant in
              report.checked[invariant].map { (invariant.rawValue, .init($0)) }
            }
          )
        ),
        ("violations", .array(report.violations.map { .string($0.description) })),
      ]
    }
    return .object(members)
  }
}
