/// Names one life of a worker process; never used again after it.
package struct WorkerID: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static func < (left: WorkerID, right: WorkerID) -> Bool { left.rawValue < right.rawValue }
}

extension WorkerID: CustomStringConvertible {
  package var description: String { String(rawValue) }
}
