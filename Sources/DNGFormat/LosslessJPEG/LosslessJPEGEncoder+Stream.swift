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
  func assemble(header: [UInt8], scanByteCount: Int) -> [UInt8] {
    let scan = scan.span.extracting(0..<scanByteCount)
    // One byte in 256 is 0xFF where codes are as good as random.
    return stuffed(scan, header: header, room: scanByteCount + scanByteCount / 64 + 1024)
      ?? stuffed(scan, header: header, room: 2 * scanByteCount)
      ?? []
  }
}

/// Copies bytes with a zero after each 0xFF (T.81 F.1.2.3) between a header and EOI; runs between them
/// are copied whole.
///
/// - Returns: The stream, or nil where the bytes and their zeros are more than `room`.
private func stuffed(_ scan: Span<UInt8>, header: [UInt8], room: Int) -> [UInt8]? {
  var isWhole = false
  let stream = unsafe [UInt8](unsafeUninitializedCapacity: header.count + room + 2) {
    (bytes, initialized) in
    for index in header.indices { unsafe bytes[index] = header[index] }
    var written = header.count
    let limit = header.count + room
    isWhole = unsafe scan.withUnsafeBytes { source in
      guard let start = source.baseAddress, let target = bytes.baseAddress else { return true }
      var read = 0
      while read < source.count {
        // `read` stays within the source, `written` within the limit.
        let found = unsafe memchr(start + read, 0xFF, source.count - read)
        let end = unsafe found.map { unsafe start.distance(to: UnsafeRawPointer($0)) + 1 }
        let run = (end ?? source.count) - read
        guard written + run + (end == nil ? 0 : 1) <= limit else { return false }
        unsafe memcpy(target + written, start + read, run)
        read += run
        written += run
        if end != nil {
          unsafe bytes[written] = 0
          written += 1
        }
      }
      return true
    }
    unsafe bytes[written] = 0xFF
    unsafe bytes[written + 1] = 0xD9
    initialized = written + 2
  }
  return isWhole ? stream : nil
}

/// A marker segment with its length, which counts itself.
private func segment(marker: UInt8, _ content: [UInt8]) -> [UInt8] {
  [0xFF, marker] + bigEndian(content.count + 2) + content
}

/// The two bytes of a 16-bit number, highest first.
private func bigEndian(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}
