package import Raster

/// Moire reduction by itself: the kernel that `Developer` runs among the other stages.
package enum MoireReducer {
  /// Reduces false colour of balanced camera colours; see `MoireReductionStage`.
  ///
  /// `amount`: 0 to 1.
  package static func reduce(
    _ planes: borrowing RGBPlanes,
    amount: Double,
    tileSize: PixelSize = PixelSize(width: 512, height: 512)
  ) throws(RasterError) -> RGBPlanes {
    try RegionRunner.run(MoireReductionStage(amount: amount), on: planes, tileSize: tileSize)
  }
}
