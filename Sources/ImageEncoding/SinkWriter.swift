/// The sink behind a C library that writes through callbacks, and the first failure, which no C library passes on whole.
final class SinkWriter {
  let sink: any ByteSink
  private(set) var failure: ByteSinkError?

  init(_ sink: any ByteSink) {
    self.sink = sink
  }

  /// Writes a library's buffer, which need not outlive the call; false from the first failure on.
  @safe
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Bool {
    guard failure == nil else { return false }
    do throws(ByteSinkError) {
      // The span covers the library's buffer and does not outlive this call.
      try unsafe sink.write(RawSpan(_unsafeBytes: bytes), at: Int(clamping: offset))
      return true
    } catch {
      failure = error
      return false
    }
  }
}
