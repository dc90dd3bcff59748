internal import Raster
internal import RawModel
internal import TIFFContainer

/// Decodes strips or tiles whose samples stand in bytes: uncompressed ones, and Deflate.
struct ByteTiles<Sample: StoredSample> {
  let bytes: [UInt8]
  let layout: RawImageLayout

  /// The buffers of one lane.
  private struct Lane {
    var inflated: [UInt8] = []
    var scratch: [UInt8] = []
  }

  /// Decodes all tiles on the scheduler's lanes.
  ///
  /// - Throws: `deflate`.
  func decode(into writer: TileWriter<Sample>, scheduler: TileScheduler) throws(DNGReadError) {
    try scheduler.forEach(count: layout.ranges.count) { () throws(DNGReadError) in
      Lane()
    } body: { (tile, lane: inout Lane) throws(DNGReadError) in
      if layout.compression == .uncompressed {
        unpack(tile: tile, into: writer)
      } else {
        try inflate(tile: tile, &lane, into: writer)
      }
    }
  }

  private func unpack(tile: Int, into writer: TileWriter<Sample>) {
    let stride = layout.rowByteCount(ofTile: tile)
    var start = layout.ranges[tile].lowerBound
    forEachRow(ofTile: tile, writer) { row in
      Sample.unpack(
        bytes.span.extracting(start..<start + stride),
        bits: layout.bitsPerSample,
        byteOrder: layout.byteOrder,
        into: &row
      )
      start += stride
    }
  }

  private func inflate(
    tile: Int,
    _ lane: inout Lane,
    into writer: TileWriter<Sample>
  ) throws(DNGReadError) {
    let stride = layout.rowByteCount(ofTile: tile)
    let count = stride * layout.codedSize(ofTile: tile).height
    if lane.inflated.count != count { lane.inflated = [UInt8](repeating: 0, count: count) }
    if lane.scratch.count != stride { lane.scratch = [UInt8](repeating: 0, count: stride) }
    do throws(DeflateError) {
      try Zlib.inflate(bytes.span.extracting(layout.ranges[tile]), into: &lane.inflated)
    } catch {
      throw .deflate(tile: tile, error)
    }
    let undo = PredictorUndo(
      predictor: layout.predictor,
      sampleSize: layout.bitsPerSample / 8,
      samplesPerPixel: layout.samplesPerPixel,
      byteOrder: layout.byteOrder
    )
    var start = 0
    forEachRow(ofTile: tile, writer) { row in
      undo.restore(start..<start + stride, of: &lane.inflated, scratch: &lane.scratch)
      Sample.unpack(
        lane.inflated.span.extracting(start..<start + stride),
        bits: layout.bitsPerSample,
        byteOrder: undo.order,
        into: &row
      )
      start += stride
    }
  }

  /// The part of each row of a tile that lies in the picture.
  private func forEachRow(
    ofTile tile: Int,
    _ writer: TileWriter<Sample>,
    _ body: (inout MutableSpan<Sample>) -> Void
  ) {
    let region = layout.grid[tile].region
    let samples = layout.samplesPerPixel
    let columns = region.left * samples..<region.right * samples
    for y in region.rows { writer.withRow(y, columns: columns) { row in body(&row) } }
  }
}
