internal import Raster
internal import RawModel

extension NoiseReductionStage {
  /// Nil where neither amount asks for it.
  init?(_ context: StageContext) throws(DevelopError) {
    let settings = context.settings
    let luminance = settings.luminanceNoiseReductionAmount
    let color = settings.colorNoiseReductionAmount
    guard luminance > 0 || color > 0 else { return nil }
    let noise = context.noise.scaled(by: context.gains)
    var pattern: CFAPattern?
    if case .mosaic(let filters) = context.description.layout { pattern = filters }
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
