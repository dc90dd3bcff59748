/// Which jobs a claim takes by the memory that they must be given, in bytes.
package struct MemoryRange: Equatable, Sendable {
  /// Only jobs that need more than this; -1: any.
  package var above: Int64
  /// Only jobs that need no more than this.
  package var upTo: Int64

  package init(above: Int64 = -1, upTo: Int64) {
    self.above = above
    self.upTo = upTo
  }

  /// Every job: for a worker that sets its children no limit.
  package static let any = MemoryRange(upTo: .max)
}
