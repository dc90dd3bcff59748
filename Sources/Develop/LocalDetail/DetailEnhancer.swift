package import Raster

/// Sharpening, detail and local contrast by themselves: the kernel that `Developer` runs among the other
/// stages.
package enum DetailEnhancer {
  /// Enhances toned linear RIMM; see `LocalDetailStage`.
  ///
  /// `sharpness`: 0 to 1.
  /// `detail`: 0 to 3.
  /// `contrast`: 0 to 1.
  /// `deviation`: noise of lightness, the same everywhere.
  /// Gives nil where all amounts are 0.
  package static func enhance(
    _ planes: borrowing RGBPlanes,
    sharpness: Double,
    detail: Double,
    contrast: Double,
    deviation: Double,
    tileSize: PixelSize = PixelSize(width: 512, height: 512)
  ) throws(RasterError) -> RGBPlanes? {
    guard
      let stage = LocalDetailStage(
        sharpness: sharpness,
        detail: detail,
        contrast: contrast,
        scale: 1,
        pixelCount: 12_000_000,
        noise: [Float(deviation), 0, 0, 0]
      )
    else { return nil }
    return try RegionRunner.run(stage, on: planes, tileSize: tileSize)
  }
}
