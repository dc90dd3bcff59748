internal import Raster
internal import TIFFContainer

/// Decodes the strips or tiles of the raw image into one plane.
struct RawSampleDecoder {
  private let bytes: [UInt8]
  private let byteOrder: TIFFByteOrder
  private let layout: RawImageLayout

  init(file: DNGFile, layout: RawImageLayout) {
    bytes = file.tiff.bytes
    byteOrder = file.tiff.byteOrder
    self.layout = layout
  }

  /// - Throws: `raster`, `tileByteCount`, `losslessJPEG`, `unsupported`.
  func decode(scheduler: TileScheduler) throws(DNGReadError) -> Plane<UInt16> {
    if layout.compression == .jpeg {
      try checkPlausibleSize()
    } else {
      for index in layout.ranges.indices { try checkByteCount(ofTile: index) }
    }
    var plane: Plane<UInt16>
    do {
      plane = try Plane<UInt16>(
        width: layout.size.width * layout.samplesPerPixel,
        height: layout.size.height
      )
    } catch {
      throw .raster(error)
    }
    try plane.withTileWriter { (writer) throws(DNGReadError) in
      if layout.compression == .jpeg {
        try LosslessJPEGTiles(bytes: bytes, layout: layout)
          .decode(into: writer, scheduler: scheduler)
      } else {
        try scheduler.forEach(count: layout.ranges.count) { () throws(DNGReadError) in
        } body: { (index, _: inout Void) throws(DNGReadError) in
          unpack(tile: index, into: writer)
        }
      }
    }
    return plane
  }

  /// A lossless JPEG codes a sample in one bit at least: dimensions that the bytes can't fill are
  /// refused before memory is taken.
  private func checkPlausibleSize() throws(DNGReadError) {
    for (tile, range) in layout.ranges.enumerated() {
      let size = layout.codedSize(ofTile: tile)
      // Within the limit of pixels, times at most 65,535 samples.
      let samples = size.pixelCount.multipliedOrMax(layout.samplesPerPixel)
      guard samples / 8 <= range.count else {
        throw .tileByteCount(tile: tile, byteCount: range.count, expected: samples / 8)
      }
    }
  }

  private func checkByteCount(ofTile tile: Int) throws(DNGReadError) {
    let size = layout.codedSize(ofTile: tile)
    let expected = rowByteCount(width: size.width).multipliedOrMax(size.height)
    guard layout.ranges[tile].count == expected else {
      throw .tileByteCount(
        tile: tile,
        byteCount: layout.ranges[tile].count,
        expected: expected
      )
    }
  }

  /// Rows start on a byte (DNG 1.7.1, "BitsPerSample").
  private func rowByteCount(width: Int) -> Int {
    (width * layout.samplesPerPixel * layout.bitsPerSample + 7) / 8
  }

  private func unpack(tile: Int, into writer: TileWriter<UInt16>) {
    let region = layout.grid[tile].region
    let samples = layout.samplesPerPixel
    let columns = region.left * samples..<region.right * samples
    let stride = rowByteCount(width: layout.codedSize(ofTile: tile).width)
    var start = layout.ranges[tile].lowerBound
    for y in region.rows {
      writer.withRow(y, columns: columns) { row in
        PackedSamples.unpack(
          bytes.span.extracting(start..<start + stride),
          bits: layout.bitsPerSample,
          byteOrder: byteOrder,
          into: &row
        )
      }
      start += stride
    }
  }
}
