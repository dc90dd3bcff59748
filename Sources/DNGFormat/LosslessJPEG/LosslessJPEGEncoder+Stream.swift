internal import Glibc

extension LosslessJPEGEncoder {
  /// SOI, SOF3, DHT and SOS: all before the entropy-coded bytes.
  ///
  /// Components are numbered from 0 and component i uses table i, as DNG writers do.
  func header(
    shape: LosslessJPEGShape,
    predictor: LosslessJPEGPredictor,
    codes: [OptimalHuffmanCode]
  ) -> [UInt8] {
    let components = (0..<UInt8(shape.components))
    var bytes: [UInt8] = [0xFF, 0xD8]
    var frame = [UInt8(shape.precision)] + bigEndian(shape.rows) + bigEndian(shape.columns)
    frame.append(UInt8(shape.components))
    for component in components { frame += [component, 0x11, 0] }
    bytes += segment(marker: 0xC3, frame)
    for (component, code) in zip(components, codes) {
      bytes += segment(marker: 0xC4, [component] + code.countsByLength + code.symbolsByCode)
    }
    var scanHeader = [UInt8(shape.components)]
    for component in components { scanHeader += [component, component << 4] }
    scanHeader += [predictor.rawValue, 0, 0]
    return bytes + segment(marker: 0xDA, scanHeader)
  }

  /// The stream: header, the first `scanByteCount` bytes of `scan` with a zero after each 0xFF, EOI.
  mutating func assemble(header: [UInt8], scanByteCount: Int) -> [UInt8] {
    if stuffed.count < 2 * scanByteCount {
      stuffed = [UInt8](repeating: 0, count: 2 * scan.count)
    }
    let stuffedByteCount = stuff(scan, byteCount: scanByteCount, into: &stuffed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.count + stuffedByteCount + 2)
    bytes += header
    bytes += stuffed[..<stuffedByteCount]
    bytes += [0xFF, 0xD9]
    return bytes
  }
}

/// Copies bytes with a zero after each 0xFF (T.81 F.1.2.3); runs between them are copied whole.
///
/// - Returns: The number of bytes written.
private func stuff(_ source: [UInt8], byteCount: Int, into output: inout [UInt8]) -> Int {
  precondition(source.count >= byteCount && output.count >= 2 * byteCount, "room for all")
  // `rest` stays within the source's first `byteCount` bytes; each of them is written with at most
  // one more, so `written` stays within twice `byteCount`.
  return unsafe source.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { output in
      guard let start = source.baseAddress, let target = output.baseAddress else { return 0 }
      var read = 0
      var written = 0
      while read < byteCount {
        let found = unsafe memchr(start + read, 0xFF, byteCount - read)
        let end = unsafe found.map { unsafe start.distance(to: UnsafeRawPointer($0)) + 1 }
        let run = (end ?? byteCount) - read
        unsafe memcpy(target + written, start + read, run)
        read += run
        written += run
        if end != nil {
          unsafe output[written] = 0
          written += 1
        }
      }
      return written
    }
  }
}

/// A marker segment with its length, which counts itself.
private func segment(marker: UInt8, _ content: [UInt8]) -> [UInt8] {
  [0xFF, marker] + bigEndian(content.count + 2) + content
}

/// The two bytes of a 16-bit number, highest first.
private func bigEndian(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}
