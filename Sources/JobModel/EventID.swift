/// Identifies an event of the queue; a later event has a larger one, but for those of the same moment.
package struct EventID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static func < (a: EventID, b: EventID) -> Bool { a.rawValue < b.rawValue }

  package var description: String { "\(rawValue)" }
}
