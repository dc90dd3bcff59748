internal import Synchronization

/// Measurements under one name, apart by the values of their labels, as Prometheus takes them.
///
/// Safe from any thread.
package final class MetricFamily: Sendable {
  package enum Kind: String, Sendable {
    /// Only grows, from 0 at the process's start.
    case counter
    case gauge
    /// Counts by upper bounds, with a sum.
    case histogram
  }

  private struct Series {
    /// A counter's or gauge's value, a histogram's sum.
    var value = 0.0
    /// One for each bound, and one for what is beyond; not cumulative.
    var counts: [UInt64] = []
  }

  /// Series of a family; what is over the limit is counted under `other`.
  ///
  /// Label values come from data: however many there are, a scrape stays small.
  package static let seriesLimit = 500

  package let name: String
  package let kind: Kind
  private let help: String
  private let labels: [String]
  private let bounds: [Double]
  private let series = Mutex<[[String]: Series]>([:])

  /// A family whose name and label names are `[a-z_][a-z0-9_]*`; `bounds` of a histogram ascend.
  package init(
    _ kind: Kind,
    _ name: String,
    _ help: String,
    labels: [String] = [],
    bounds: [Double] = []
  ) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
    precondition((kind == .histogram) != bounds.isEmpty, "a histogram has bounds, and nothing else")
    self.kind = kind
    self.name = name
    self.help = help
    self.labels = labels
    self.bounds = bounds
  }

  /// Adds to a counter, or to a gauge.
  package func add(_ amount: Double = 1, _ values: String...) {
    change(values) { $0.value += amount }
  }

  /// Sets a gauge, or a counter that somebody else counts.
  package func set(_ value: Double, _ values: String...) {
    change(values) { $0.value = value }
  }

  /// Counts a value in a histogram.
  package func observe(_ value: Double, _ values: String...) {
    let index = bounds.firstIndex { value <= $0 } ?? bounds.count
    change(values) { series in
      if series.counts.isEmpty { series.counts = Array(repeating: 0, count: bounds.count + 1) }
      series.counts[index] += 1
      series.value += value
    }
  }

  private func change(_ values: [String], _ body: (inout Series) -> Void) {
    precondition(values.count == labels.count, "\(name) has \(labels.count) labels")
    series.withLock { series in
      var key = values
      if series[key] == nil, series.count >= Self.seriesLimit {
        key = values.map { _ in "other" }
      }
      body(&series[key, default: Series()])
    }
  }

  /// The family in the text format, version 0.0.4; nothing while it has no series.
  func exposition() -> String {
    let all = series.withLock { $0 }
    guard !all.isEmpty else { return "" }
    var text =
      "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for (values, series) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
      guard kind == .histogram else {
        text += Self.line(name, pairs, Self.number(series.value))
        continue
      }
      var sum: UInt64 = 0
      for (bound, count) in zip(bounds + [.infinity], series.counts) {
        sum += count
        text += Self.line(name + "_bucket", pairs + ["le=\"\(Self.number(bound))\""], "\(sum)")
      }
      text += Self.line(name + "_sum", pairs, Self.number(series.value))
      text += Self.line(name + "_count", pairs, "\(sum)")
    }
    return text
  }

  private static func line(_ name: String, _ pairs: [String], _ value: String) -> String {
    pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs.joined(separator: ","))} \(value)\n"
  }

  /// Whole numbers without a fraction, others with as many digits as tell them apart.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 { return "\(integer)" }
    return "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
