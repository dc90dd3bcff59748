/// What a check of a history found.
package struct HistoryReport: Equatable, Sendable {
  package struct Violation: Equatable, Sendable, CustomStringConvertible {
    package var invariant: Invariant
    package var message: String

    package var description: String { "\(invariant.rawValue): \(message)" }
  }

  /// In the order of the invariants; of each no more than `limit`, though all are counted.
  package private(set) var violations: [Violation] = []
  /// How often each invariant was broken.
  package private(set) var broken: [Invariant: Int] = [:]
  /// How many things each invariant was checked on: one that was checked on nothing proves nothing.
  package private(set) var checked: [Invariant: Int] = [:]
  /// Faults by kind.
  package internal(set) var faults: [String: Int] = [:]
  package internal(set) var jobs = 0

  private static let limit = 10

  package var isClean: Bool { broken.isEmpty }

  /// Counts a check, and its violation if the claim does not hold.
  mutating func check(
    _ invariant: Invariant,
    _ holds: Bool,
    _ message: @autoclosure () -> String
  ) {
    checked[invariant, default: 0] += 1
    guard !holds else { return }
    broken[invariant, default: 0] += 1
    if broken[invariant, default: 0] <= Self.limit {
      violations.append(Violation(invariant: invariant, message: message()))
    }
  }
}
