internal import Raster
internal import Synchronization

/// OpenEXR of half or float samples: scan lines, ZIP, with `chromaticities`, `adoptedNeutral` and
/// `whiteLuminance` where they are known, and no other attribute but the required ones.
final class OpenEXRFile: LinearFile {
  private let description: LinearImageDescription
  private var handle: OpenEXRHandle?
  private var row = 0

  /// The library's coordinates are 32-bit integers, and readers bound them.
  static let sideLimit = 65_500

  init(_ description: LinearImageDescription, to sink: any ByteSink) throws(ImageEncodingError) {
    try description.validate(.exr, sideLimit: Self.sideLimit)
    guard description.sampleFormat.isFloatingPoint else {
      throw .settingInvalid(name: "sampleFormat", value: "uint16", valid: "float32 or float16")
    }
    self.description = description
    handle = try OpenEXRHandle.create(description, to: sink)
  }

  func append(
    _ rows: LinearRows,
    scheduler: TileScheduler
  ) throws(ImageEncodingError) {
    let chunkRows = OpenEXRHandle.chunkRowCount
    let count = (rows.rowCount + chunkRows - 1) / chunkRows
    let chunks = Mutex([[UInt8]](repeating: [], count: count))
    let first = row
    let description = description
    guard let compressor = handle?.compressor else { return }
    try scheduler.forEach(
      count: count,
      laneState: { () throws(ImageEncodingError) in },
      body: { (index, _) throws(ImageEncodingError) in
        let top = index * chunkRows
        let start = top * description.rowByteCount
        let end = min(top + chunkRows, rows.rowCount) * description.rowByteCount
        let chunk = try compressor.compress(rows.bytes[start..<end], at: first + top)
        chunks.withLock { $0[index] = chunk }
      }
    )
    for (index, chunk) in chunks.withLock({ $0 }).enumerated() {
      try handle?.write(chunk, at: first + index * chunkRows)
    }
    row += rows.rowCount
  }

  func finish() throws(ImageEncodingError) -> (byteCount: Int, libraries: [LibraryVersion]) {
    guard let handle = handle.take() else {
      throw .libraryFailed(.openEXR, operation: "end", detail: "the file is finished")
    }
    return (try handle.close(), [openEXRVersion()])
  }
}
