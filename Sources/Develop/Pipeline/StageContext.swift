internal import ColorScience
internal import Raster
internal import RawModel

/// What stages are set up from.
struct StageContext {
  let description: RawDescription
  let settings: DevelopSettings
  let geometry: PictureGeometry
  /// The camera's matrices; nil for monochrome raws.
  let camera: CameraColorModel?
  /// White balance.
  ///
  /// What linear samples (white = 1) of red, green and blue are multiplied by. After it
  /// a neutral has equal values, and the first channel to saturate does so at 1.
  let gains: Vector3
  /// Pixels of the picture for one of the raw, for stages whose radii are the picture's.
  let scale: Double
  /// The noise of linear samples, not balanced.
  let noise: NoiseModel

  init(_ description: RawDescription, settings: DevelopSettings) throws(DevelopError) {
    self.description = description
    self.settings = settings
    geometry = try PictureGeometry(
      description,
      bounds: OpcodeStages.bounds(description, policy: settings.opcodePolicy),
      request: settings.geometryRequest
    )
    let shown = geometry.shown.width
    scale = Double(shown) / Double(geometry.crop.width)
    switch description.layout {
    case .linear(planes: 1):
      camera = nil
      gains = Vector3(1, 1, 1)
    case .mosaic, .linear(planes: 3):
      let model = try CameraColorModel(description.color)
      camera = model
      gains = Vector3(repeating: 1) / model.neutral(for: settings.white)
    case .linear(let planes):
      throw .layoutUnsupported(planes: planes)
    case .array(let array):
      throw .filterArrayUnsupported(array.text)
    }
    noise = NoiseModel(description)
  }
}
