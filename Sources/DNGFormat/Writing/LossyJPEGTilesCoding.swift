internal import JPEGCodec
internal import Raster
internal import RawModel

/// Codes tiles as baseline JPEG without a colour transform (DNG 1.7.1, "Compression" 34892).
struct LossyJPEGTilesCoding {
  let tiling: DNGTiling
  private let quality: Int
  private let layout: SampleLayout

  /// - Parameters:
  ///   - description: Of LinearRaw samples of 8 bits.
  ///   - quality: 0 to 1.
  init(_ description: RawDescription, quality: Double) {
    layout = description.layout
    self.quality = Int((quality * 100).rounded())
    tiling = DNGTiling(frame: description.size, targetPixels: 256 * 256)
  }

  /// Codes all tiles.
  func encode(
    _ samples: borrowing Plane<UInt16>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [[UInt8]] {
    let planes = layout.samplesPerPixel
    return try TileGathering.segments(
      of: samples,
      layout,
      tiling,
      scheduler: scheduler
    ) { (tile, region) throws(DNGWritingError) in
      let bytes = tile.map { UInt8(clamping: $0) }
      do throws(JPEGError) {
        return try JPEGEncoder.encode(
          bytes.span,
          size: region.size,
          stride: region.width * planes,
          components: planes,
          quality: quality,
          color: .asGiven
        )
      } catch {
        throw .jpeg(error)
      }
    }
  }
}
