internal import JPEGCodec
internal import Raster

/// Decodes strips or tiles of lossy JPEG (34892): 8 bits, components as coded.
struct LossyJPEGTiles {
  let bytes: [UInt8]
  let layout: RawImageLayout

  /// Decodes all tiles on the scheduler's lanes.
  ///
  /// - Throws: `lossyJPEG`.
  func decode(into writer: TileWriter<UInt16>, scheduler: TileScheduler) throws(DNGReadError) {
    try scheduler.forEach(count: layout.ranges.count) { () throws(DNGReadError) in
      [UInt8]()
    } body: { (tile, samples: inout [UInt8]) throws(DNGReadError) in
      let size = layout.codedSize(ofTile: tile)
      do throws(JPEGError) {
        try JPEGDecoder.decode(
          bytes,
          range: layout.ranges[tile],
          tables: layout.jpegTables,
          size: size,
          components: layout.samplesPerPixel,
          color: .asCoded,
          into: &samples
        )
      } catch {
        throw .lossyJPEG(tile: tile, error)
      }
      let decoded = samples.span
      let region = layout.grid[tile].region
      let perPixel = layout.samplesPerPixel
      for y in region.rows {
        let start = (y - region.top) * size.width * perPixel
        let columns = region.left * perPixel..<region.right * perPixel
        writer.withRow(y, columns: columns) { row in
          for index in row.indices { row[index] = UInt16(decoded[start + index]) }
        }
      }
    }
  }
}
