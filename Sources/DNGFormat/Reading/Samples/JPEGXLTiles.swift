internal import JPEGXLCodec
internal import Raster
internal import RawModel

/// Decodes strips or tiles of JPEG XL (52546).
struct JPEGXLTiles<Sample: StoredSample> {
  let bytes: [UInt8]
  let layout: RawImageLayout
  /// A sample from what the decoder gives: an integer, or the bits of a half float.
  let sample: (UInt16) -> Sample

  /// Decodes all tiles on the scheduler's lanes.
  ///
  /// - Throws: `jpegXL`, `tileSamples`.
  func decode(into writer: TileWriter<Sample>, scheduler: TileScheduler) throws(DNGReadError) {
    try scheduler.forEach(count: layout.ranges.count) { () throws(DNGReadError) in
      [UInt16]()
    } body: { (tile, samples: inout [UInt16]) throws(DNGReadError) in
      let size = layout.codedSize(ofTile: tile)
      let perPixel = layout.samplesPerPixel
      let format: JPEGXLSampleFormat
      do throws(JPEGXLError) {
        format = try JPEGXLDecoder.decode(
          bytes.span.extracting(layout.ranges[tile]),
          size: size,
          channels: perPixel,
          into: &samples
        )
      } catch {
        throw .jpegXL(tile: tile, error)
      }
      try check(format, samples, tile: tile)
      let decoded = samples.span
      let region = layout.grid[tile].region
      for y in region.rows {
        let start = (y - region.top) * size.width * perPixel
        let columns = region.left * perPixel..<region.right * perPixel
        writer.withRow(y, columns: columns) { row in
          for index in row.indices { row[index] = sample(decoded[start + index]) }
        }
      }
    }
  }

  /// The stream's own depth may differ from BitsPerSample as long as the samples fit.
  private func check(
    _ format: JPEGXLSampleFormat,
    _ samples: [UInt16],
    tile: Int
  ) throws(DNGReadError) {
    switch format {
    case .half:
      guard layout.sampleFormat == .floatingPoint else {
        throw .tileSamples(tile: tile, "are half floats, those of the image integers")
      }
    case .integer(let bits):
      guard layout.sampleFormat == .unsignedInteger else {
        throw .tileSamples(tile: tile, "are integers, those of the image floating-point numbers")
      }
      guard bits > layout.bitsPerSample else { return }
      let all = samples.reduce(0, |)
      guard all >> UInt16(layout.bitsPerSample) == 0 else {
        throw .tileSamples(
          tile: tile,
          "of \(bits) bits don't fit the image's \(layout.bitsPerSample)"
        )
      }
    }
  }
}
