/// Names a batch.
package struct BatchID: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static func < (left: BatchID, right: BatchID) -> Bool { left.rawValue < right.rawValue }
}

extension BatchID: CustomStringConvertible {
  package var description: String { String(rawValue) }
}
