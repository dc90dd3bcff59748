package import JSON
package import JobModel
internal import ServiceRuntime

extension SetAside {
  /// A line for people: what is set aside, for how long after `now`, by whom and why.
  ///
  /// `now` is in microseconds since 1970-01-01 UTC.
  package func text(now: Int64) -> String {
    let what = root.map { "root \($0) of host" } ?? "host"
    let left = Quantity.duration(.microseconds(max(0, untilMicroseconds - now)))
    let who = actor.isEmpty ? "" : " by \(actor)"
    return TerminalText.harmless(
      "\(what) \(host) is set aside for \(left) more\(who): \(reason)"
    )
  }

  /// The same for programs.
  package var json: JSONValue {
    [
      "host": .string(host), "root": root.map { .string($0) } ?? .null,
      "reason": .string(reason), "actor": .string(actor),
      "since": .init(sinceMicroseconds), "until": .init(untilMicroseconds),
    ]
  }
}
