internal import ColorScience
internal import Raster
internal import RawModel
internal import Recipe

/// Every stage of one development, set up and checked before the first pixel.
struct DevelopPlan {
  let geometry: PictureGeometry
  let layout: SampleLayout
  let linearization: LinearizationStage
  let gainMaps: GainMapStage
  let demosaic: DemosaicMethod
  let pixels: PixelKernel

  init(_ description: RawDescription, settings: DevelopSettings) throws(DevelopError) {
    geometry = try PictureGeometry(description)
    layout = description.layout
    demosaic = settings.demosaic
    gainMaps = try GainMapStage(description)
    let color: WorkingColorStage
    let gains: Vector3
    switch description.layout {
    case .linear(planes: 1):
      color = WorkingColorStage(monochrome: settings)
      gains = Vector3(1, 1, 1)
    case .mosaic, .linear(planes: 3):
      let model = try CameraColorModel(description.color)
      color = try WorkingColorStage(model, settings: settings)
      gains = Vector3(repeating: 1) / model.neutral(for: settings.white)
    case .linear(let planes):
      throw .layoutUnsupported(planes: planes)
    }
    linearization = try LinearizationStage(description, gains: gains)
    pixels = PixelKernel(
      color: color,
      tone: ToneStage(settings, shadowScale: description.shadowScale),
      gamut: settings.isGamutMappingEnabled ? .rommToDisplayP3 : nil
    )
  }
}
