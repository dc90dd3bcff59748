/// Names a job; it keeps its name when it is done again.
package struct JobID: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static func < (left: JobID, right: JobID) -> Bool { left.rawValue < right.rawValue }
}

extension JobID: CustomStringConvertible {
  package var description: String { String(rawValue) }
}
