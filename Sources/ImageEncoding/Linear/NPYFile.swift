internal import Raster

/// NumPy's array format, version 1.0: height, width and, where there is more than one, samples, in C order.
///
/// NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays".
final class NPYFile: LinearFile {
  private let sink: any ByteSink
  private var byteCount = 0

  init(_ description: LinearImageDescription, to sink: any ByteSink) throws(ImageEncodingError) {
    try description.validate(.npy, sideLimit: 1 << 20)
    self.sink = sink
    try write(Self.header(description))
  }

  /// Padded with spaces so that the samples begin at a multiple of 64.
  static func header(_ description: LinearImageDescription) -> [UInt8] {
    let kind =
      switch description.sampleFormat {
      case .float32: "<f4"
      case .float16: "<f2"
      case .uint16: "<u2"
      }
    var shape = "\(description.size.height), \(description.size.width)"
    if description.channels.count > 1 { shape += ", \(description.channels.count)" }
    var text = Array("{'descr': '\(kind)', 'fortran_order': False, 'shape': (\(shape)), }".utf8)
    let prefix = 10
    text += Array(repeating: UInt8(ascii: " "), count: 63 - (prefix + text.count) % 64)
    text.append(UInt8(ascii: "\n"))
    let length = UInt16(clamping: text.count)
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + text
  }

  func append(
    _ rows: LinearRows,
    scheduler: TileScheduler
  ) throws(ImageEncodingError) {
    try write(rows.bytes)
  }

  func finish() throws(ImageEncodingError) -> (byteCount: Int, libraries: [LibraryVersion]) {
    (byteCount, [])
  }

  private func write(_ bytes: [UInt8]) throws(ImageEncodingError) {
    do throws(ByteSinkError) {
      // UInt8 has no padding.
      try unsafe sink.write(bytes.span.bytes, at: byteCount)
    } catch {
      throw .sink(error)
    }
    byteCount += bytes.count
  }
}
