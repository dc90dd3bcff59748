/// Takes the finished file from libheif, checks it and passes it on; keeps the failure that libheif's
/// result codes lose.
final class HEIFOutput {
  private let sink: any ByteSink
  private let expected: HEIFStructure
  private(set) var failure: ImageEncodingError?
  private(set) var byteCount = 0

  init(sink: any ByteSink, expected: HEIFStructure) {
    self.sink = sink
    self.expected = expected
  }

  /// Writes the bytes behind those before; false on failure.
  ///
  /// libheif hands over the whole file in one call, which is what makes the check possible.
  @safe
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(ImageEncodingError) {
      let found = try HEIFStructure(reading: bytes)
      guard found == expected else {
        throw .libraryFailed(
          .libheif,
          operation: "verification",
          detail: "wrote \(found) instead of \(expected)"
        )
      }
      do throws(ByteSinkError) {
        // The span covers libheif's buffer and does not outlive this call.
        try unsafe sink.write(RawSpan(_unsafeBytes: bytes), at: byteCount)
      } catch {
        throw .sink(error)
      }
      byteCount += bytes.count
      return true
    } catch {
      failure = error
      return false
    }
  }
}
