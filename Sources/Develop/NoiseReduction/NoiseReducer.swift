package import Raster
package import RawModel

/// Noise reduction by itself: the kernel that `Developer` runs among the other stages.
package enum NoiseReducer {
  /// Reduces the noise of balanced camera colours; see `NoiseReductionStage`.
  ///
  /// `luminance`: amount, 0 to 1.
  /// `color`: amount, 0 to 1.
  /// `noise`: of the mosaic's balanced samples, or of the planes'.
  /// `pattern`: of the mosaic that the planes were demosaiced from by `Demosaicer`; nil without one.
  package static func reduce(
    _ planes: borrowing RGBPlanes,
    luminance: Double,
    color: Double,
    noise: NoiseModel,
    pattern: CFAPattern?,
    tileSize: PixelSize = PixelSize(width: 512, height: 512)
  ) throws(RasterError) -> RGBPlanes {
    let response = try NoiseResponse(noise: noise, pattern: pattern)
    let stage = NoiseReductionStage(
      luminance: luminance,
      color: color,
      noise: noise,
      response: response
    )
    return try RegionRunner.run(stage, on: planes, tileSize: tileSize)
  }

  /// The variance that white noise has in luma's wavelet scales, from the finest, and in the means of 4x4
  /// pixels of both colour differences.
  package static func response(
    noise: NoiseModel,
    pattern: CFAPattern?
  ) throws(RasterError) -> (luma: [Float], chroma: [Float]) {
    let response = try NoiseResponse(noise: noise, pattern: pattern)
    let luma = response.lumaVariances
    return (
      [luma[0], luma[1], luma[2]],
      [response.chromaVariances.0, response.chromaVariances.1]
    )
  }
}
