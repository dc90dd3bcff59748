import Diagnostics
import ImageEncoding
import Testing

@Suite struct ByteSinkTests {
  @Test func memorySinkFillsGapsAndGoesBack() throws {
    let sink = MemorySink()
    try Self.write([1, 2], to: sink, at: 3)
    try Self.write([9], to: sink, at: 0)
    #expect(sink.bytes == [9, 0, 0, 1, 2])
    #expect(sink.writeCount == 2)
  }

  @Test func memorySinkEndsAsADiskDoes() throws {
    let sink = MemorySink(byteLimit: 4)
    try Self.write([1, 2, 3, 4], to: sink, at: 0)
    #expect(throws: ByteSinkError.outOfSpace(errno: 28, offset: 4)) {
      try Self.write([5], to: sink, at: 4)
    }
    #expect(sink.bytes == [1, 2, 3, 4])
  }

  private static func write(
    _ bytes: [UInt8],
    to sink: MemorySink,
    at offset: Int
  ) throws(ByteSinkError) {
    // The span of the array's bytes ends before the array does.
    try unsafe sink.write(bytes.span.bytes, at: offset)
  }

  @Test(arguments: [
    (Int32(28), "outputOutOfSpace", Disposition.resource, "No space left on device"),
    (122, "outputOutOfSpace", .resource, "Disk quota exceeded"),
    (27, "outputOutOfSpace", .resource, "File too large"),
    (5, "outputWriteFailed", .transient, "Input/output error"),
    (9, "outputWriteFailed", .transient, "Bad file descriptor"),
  ])
  func errnosHaveTheirCase(
    errno: Int32,
    code: String,
    disposition: Disposition,
    words: String
  ) {
    let error = ByteSinkError(errno: errno, offset: 77)
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(error.message.contains(words))
    #expect(error.message.contains("77"))
  }
}
