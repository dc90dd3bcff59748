internal import FileSystem
package import ImageEncoding

/// An output file as a sink of an encoder.
package final class DescriptorSink: ByteSink {
  private let file: OpenFile

  package init(_ file: OpenFile) {
    self.file = file
  }

  package func write(_ bytes: RawSpan, at offset: Int) throws(ByteSinkError) {
    do throws(SystemError) {
      try unsafe bytes.withUnsafeBytes { (buffer) throws(SystemError) in
        try unsafe file.descriptor.write(buffer, at: Int64(offset))
      }
    } catch {
      throw ByteSinkError(errno: error.errorNumber, offset: offset)
    }
  }
}
