internal import ColorScience
internal import Raster
internal import RawModel

extension NoiseReductionStage {
  /// Nil where neither amount asks for it.
  init?(_ context: StageContext) throws(DevelopError) {
    let settings = context.settings
    let luminance = settings.luminanceNoiseReductionAmount
    let color = settings.colorNoiseReductionAmount
    guard luminance > 0 || color > 0 else { return nil }
    var noise = context.noise.scaled(by: context.gains)
    var pattern: CFAPattern?
    if case .mosaic(let filters) = context.description.layout { pattern = filters }
    if context.geometry.isHalf {
      // Of means of a cell's samples, which nothing was interpolated from: see `HalfSource`.
      noise = noise.averaged(over: pattern == nil ? Vector3(repeating: 4) : Vector3(1, 2, 1))
      pattern = nil
    }
    do throws(RasterError) {
      let response = try NoiseResponse(
        noise: noise,
        pattern: pattern,
        isGrey: context.description.layout == .linear(planes: 1)
      )
      self.init(luminance: luminance, color: color, noise: noise, response: response)
    } catch {
      throw .raster(error)
    }
  }
}
