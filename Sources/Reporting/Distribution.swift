/// How values are spread, in bins whose edges are 1, 2 and 5 times a power of ten.
package struct Distribution: Equatable, Sendable {
  /// A bin with values from `low` up to, but not, `high`.
  package struct Bin: Equatable, Sendable {
    package let low: Double
    package let high: Double
    package let count: Int
  }

  /// The edges from a millisecond to a petabyte.
  private static let edges: [Double] = {
    var edges: [Double] = []
    var decade = 1e-3
    for _ in 0..<18 {
      edges += [decade, 2 * decade, 5 * decade]
      decade *= 10
    }
    return edges
  }()

  private var counts = Array(repeating: 0, count: Distribution.edges.count + 1)
  package private(set) var count = 0
  package private(set) var sum = 0.0
  package private(set) var minimum = Double.infinity
  package private(set) var maximum = -Double.infinity

  package init() {}

  /// Adds a value; one that is no number is left out.
  package mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    count += 1
    sum += value
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    let index = Self.edges.firstIndex { $0 > value } ?? Self.edges.count
    counts[index] += 1
  }

  /// The mean; nil without values.
  package var mean: Double? { count > 0 ? sum / Double(count) : nil }

  /// The bins from the first to the last that has values.
  package var bins: [Bin] {
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 })
    else { return [] }
    return (first...last).map { index in
      Bin(
        low: index == 0 ? 0 : Self.edges[index - 1],
        high: index < Self.edges.count ? Self.edges[index] : .infinity,
        count: counts[index]
      )
    }
  }
}
