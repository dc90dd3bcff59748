/// Some elements of a sequence of unknown length, spread evenly over it; the same ones each time.
///
/// Keeps every so many of those that it sees, and every other of what it has kept when that grows too much:
/// never more than twice as many as are wanted.
package struct Spread<Element> {
  private let count: Int
  private var stride = 1
  private var seen = 0
  private var kept: [Element] = []

  /// Of at most `count` elements.
  package init(count: Int) {
    self.count = max(0, count)
  }

  /// Sees the next one.
  package mutating func add(_ element: Element) {
    defer { seen += 1 }
    guard count > 0, seen.isMultiple(of: stride) else { return }
    if kept.count == 2 * count {
      kept = kept.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      stride *= 2
      guard seen.isMultiple(of: stride) else { return }
    }
    kept.append(element)
  }

  /// Those that are spread over what was seen so far, in order: the first one, and the last one kept.
  package var elements: [Element] {
    guard kept.count > count else { return kept }
    guard count > 1 else { return Array(kept.prefix(count)) }
    return (0..<count).map { kept[$0 * (kept.count - 1) / (count - 1)] }
  }
}

extension Spread: Sendable where Element: Sendable {}
