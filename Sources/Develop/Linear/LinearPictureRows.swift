internal import Raster

/// The end of a linear development: the last pixel stages, and one band of the turned picture.
final class LinearPictureRows: RowConsumer {
  private let pixels: PixelRows
  private let memory: ScratchMemory
  private let writer: TileWriter<Float>
  private let picture: PictureGeometry
  /// The row of the picture at which the band begins.
  private let top: Int
  /// Samples of a pixel: 3, or 1 for monochrome raws.
  private let channelCount: Int

  /// For tiles up to `width` columns wide.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  init(
    _ stages: [any PixelStage],
    geometry: RegionGeometry,
    picture: PictureGeometry,
    width: Int,
    channelCount: Int,
    top: Int,
    writer: TileWriter<Float>
  ) throws(RasterError) {
    let scratchRowCount = PixelRows.scratchRowCount(stages)
    // With the demosaic's halo and whole vectors.
    var memory = try ScratchMemory(
      rowCount: scratchRowCount,
      samples: width + 2 * MenonDemosaic.halo + 17
    )
    pixels = PixelRows(stages: stages, geometry: geometry, scratch: memory.take(scratchRowCount))
    self.memory = memory
    self.writer = writer
    self.picture = picture
    self.top = top
    self.channelCount = channelCount
  }

  func begin(_ region: Region) {}

  func take(_ row: SplitRow) {
    pixels.run(row)
    store(row.y, row.columns) { color, x in
      let offset = x - row.origin
      return offset & 1 == 0 ? row.even[color][offset >> 1] : row.odd[color][offset >> 1]
    }
  }

  func take(_ row: FullRow) {
    pixels.run(row.rows, y: row.y, columns: row.columns)
    store(row.y, row.columns) { color, x in row.rows[color][x - row.columns.lowerBound] }
  }

  @inline(__always)
  private func store(_ y: Int, _ columns: Range<Int>, _ sample: (Int, Int) -> Float) {
    let place = picture.placement(x: columns.lowerBound, y: y)
    let step = place.stepY * writer.stride + channelCount * place.stepX
    let last = columns.upperBound - 1
    // Both ends lie in the band: the row is of its region.
    var pixel = unsafe writer.pointer(x: channelCount * place.x, y: place.y - top)
    _ = unsafe writer.pointer(
      x: channelCount * (place.x + place.stepX * (columns.count - 1)),
      y: place.y - top + place.stepY * (columns.count - 1)
    )
    for x in columns {
      for channel in 0..<channelCount { unsafe pixel[channel] = sample(channel, x) }
      if x < last { unsafe pixel += step }
    }
  }
}
