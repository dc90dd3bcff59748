/// A sink that keeps the output in memory, with an end after which there is no room, as a disk has.
package final class MemorySink: ByteSink {
  /// What was written, gaps filled with zeros.
  package private(set) var bytes: [UInt8] = []
  /// Calls of `write` so far, the failed ones included.
  package private(set) var writeCount = 0
  private let byteLimit: Int
  private let failingWrite: Int?

  /// - Parameters:
  ///   - byteLimit: A write that ends beyond this fails as a full disk does.
  ///   - failingWrite: The ordinal (from 0) of a write that fails with EIO.
  package init(byteLimit: Int = 1 << 31, failingWrite: Int? = nil) {
    self.byteLimit = byteLimit
    self.failingWrite = failingWrite
  }

  package func write(_ bytes: RawSpan, at offset: Int) throws(ByteSinkError) {
    defer { writeCount += 1 }
    if writeCount == failingWrite { throw ByteSinkError(errno: 5, offset: offset) }
    let (end, overflowed) = offset.addingReportingOverflow(bytes.byteCount)
    guard offset >= 0, !overflowed, end <= byteLimit else {
      throw ByteSinkError(errno: 28, offset: offset)
    }
    if end > self.bytes.count {
      self.bytes.append(contentsOf: repeatElement(0, count: end - self.bytes.count))
    }
    unsafe bytes.withUnsafeBytes { source in
      unsafe self.bytes.withUnsafeMutableBytes { target in
        // Both ranges were checked: the target holds `end` bytes.
        unsafe target[offset..<end].copyBytes(from: source)
      }
    }
  }
}
