internal import Glibc
internal import Raster

/// Decodes the lossless JPEG strips or tiles of a raw image.
struct LosslessJPEGTiles {
  let bytes: [UInt8]
  let layout: RawImageLayout

  /// Decodes all tiles on the scheduler's lanes.
  ///
  /// - Throws: `losslessJPEG`, and `unsupported` for tiles of lossy JPEG.
  func decode(into writer: TileWriter<UInt16>, scheduler: TileScheduler) throws(DNGReadError) {
    try scheduler.forEach(count: layout.ranges.count) { () throws(DNGReadError) in
      LosslessJPEGBuffers()
    } body: { (index, buffers: inout LosslessJPEGBuffers) throws(DNGReadError) in
      try decode(tile: index, into: writer, buffers)
    }
  }

  private func decode(
    tile: Int,
    into writer: TileWriter<UInt16>,
    _ buffers: LosslessJPEGBuffers
  ) throws(DNGReadError) {
    do {
      let sampleCount = layout.codedSize(ofTile: tile).pixelCount * layout.samplesPerPixel
      var stream = try LosslessJPEGStream(
        bytes,
        range: layout.ranges[tile],
        sampleCount: sampleCount,
        buffers: buffers
      )
      try stream.decodeFrame()
    } catch .otherProcess(let marker) {
      throw .unsupported(.jpegProcess(marker: marker))
    } catch {
      throw .losslessJPEG(tile: tile, error)
    }
    copy(tile: tile, buffers, into: writer)
  }

  /// Copies the part of the tile that lies in the picture.
  private func copy(
    tile: Int,
    _ buffers: LosslessJPEGBuffers,
    into writer: TileWriter<UInt16>
  ) {
    let region = layout.grid[tile].region
    let samples = layout.samplesPerPixel
    let width = layout.codedSize(ofTile: tile).width * samples
    for row in 0..<region.height {
      writer.withRow(
        region.top + row,
        columns: region.left * samples..<region.right * samples
      ) { line in
        // The coded tile is at least as large as the region.
        let source = unsafe buffers.samples + row * width
        for index in line.indices { line[index] = unsafe source[index] }
      }
    }
  }
}
