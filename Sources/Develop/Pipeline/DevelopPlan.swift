internal import Raster
internal import RawModel
internal import Recipe

/// Every stage of one development, set up and checked before the first pixel, and how they are run.
///
/// Stages on single samples and pixels run fused, a row of a tile at a time. Stages that look at neighbours
/// run over tiles that are larger by the halos that follow.
struct DevelopPlan: Sendable {
  let geometry: PictureGeometry
  let layout: SampleLayout
  let linearization: LinearizationStage
  let demosaic: DemosaicMethod
  /// Noise that the demosaic reckons with.
  let demosaicNoise: MenonDemosaic.Noise?
  /// In their order; see `stages(_:)`.
  private(set) var stages: [PlannedStage]
  private(set) var frameStages: [any FrameStage] = []
  /// Before the demosaic.
  private(set) var mosaicSteps: [MosaicStep] = []
  /// After the demosaic, up to linear Display P3.
  private(set) var pictureSteps: [PictureStep] = []

  /// Stages before the demosaic that run together.
  enum MosaicStep: Sendable {
    case lines([any LineStage])
    case mosaic(any MosaicStage)
  }

  /// Stages after the demosaic that run together.
  enum PictureStep: Sendable {
    case pixels([any PixelStage])
    case region(any RegionStage)
  }

  init(_ description: RawDescription, settings: DevelopSettings) throws(DevelopError) {
    let context = try StageContext(description, settings: settings)
    geometry = context.geometry
    layout = description.layout
    demosaic = settings.demosaic
    // The first look takes no account of noise.
    demosaicNoise =
      settings.decoderVersion == .one
      ? nil : MenonDemosaic.Noise(context.noise, gains: context.gains)
    linearization = try LinearizationStage(description, gains: context.gains)
    stages = try Self.stages(context)
    arrange()
  }

  /// The plan with stages that have seen the whole picture.
  func prepared(with analysis: PictureAnalysis) throws(RasterError) -> DevelopPlan {
    var plan = self
    plan.stages.removeAll(keepingCapacity: true)
    for stage in stages { plan.stages.append(try stage.prepared(with: analysis)) }
    plan.arrange()
    return plan
  }

  /// The plan with stages that know where the picture is clipped.
  func prepared(with highlights: Highlights?) -> DevelopPlan {
    var plan = self
    plan.stages = stages.map { $0.prepared(with: highlights) }
    plan.arrange()
    return plan
  }

  /// Whether a stage needs the picture's highlights.
  var readsHighlights: Bool { stages.contains { $0.kernel.readsHighlights } }

  /// Whether a stage needs the picture's analysis.
  var readsAnalysis: Bool { stages.contains { $0.kernel.readsAnalysis } }

  /// Sorts the stages into steps.
  private mutating func arrange() {
    frameStages.removeAll()
    mosaicSteps.removeAll()
    pictureSteps.removeAll()
    for stage in stages {
      switch stage {
      case .frame(let stage):
        precondition(mosaicSteps.isEmpty && pictureSteps.isEmpty, "OpcodeList1 comes first")
        frameStages.append(stage)
      case .line(let stage):
        precondition(pictureSteps.isEmpty, "samples come before colours")
        if case .lines(let lines)? = mosaicSteps.last {
          mosaicSteps[mosaicSteps.count - 1] = .lines(lines + [stage])
        } else {
          mosaicSteps.append(.lines([stage]))
        }
      case .mosaic(let stage):
        precondition(pictureSteps.isEmpty, "samples come before colours")
        mosaicSteps.append(.mosaic(stage))
      case .pixel(let stage):
        if case .pixels(let pixels)? = pictureSteps.last {
          pictureSteps[pictureSteps.count - 1] = .pixels(pixels + [stage])
        } else {
          pictureSteps.append(.pixels([stage]))
        }
      case .region(let stage):
        pictureSteps.append(.region(stage))
      }
    }
  }
}

extension DevelopPlan {
  /// Stages on single samples, all of them, for tiles in which no mosaic stage is needed.
  var lineStages: [any LineStage] {
    var result: [any LineStage] = []
    for case .lines(let stages) in mosaicSteps { result += stages }
    return result
  }

  var mosaicStages: [any MosaicStage] {
    var result: [any MosaicStage] = []
    for case .mosaic(let stage) in mosaicSteps { result.append(stage) }
    return result
  }

  var regionStages: [any RegionStage] {
    var result: [any RegionStage] = []
    for case .region(let stage) in pictureSteps { result.append(stage) }
    return result
  }

  /// Rows and columns around a tile that the stages after the demosaic need.
  var pictureHalo: Int { regionStages.reduce(0) { $0 + $1.halo } }

  /// Rows and columns around the demosaic's input that the mosaic stages need.
  var mosaicHalo: Int { mosaicStages.reduce(0) { $0 + $1.halo } }

  /// Rows of scratch that a pixel stage wants.
  var pixelScratchRowCount: Int {
    pictureSteps.reduce(0) { most, step in
      guard case .pixels(let stages) = step else { return most }
      return stages.reduce(most) { max($0, $1.scratchRowCount) }
    }
  }
}

extension PlannedStage {
  fileprivate func prepared(with highlights: Highlights?) -> PlannedStage {
    switch self {
    case .frame(let stage): .frame(stage.prepared(with: highlights))
    case .line(let stage): .line(stage.prepared(with: highlights))
    case .mosaic(let stage): .mosaic(stage.prepared(with: highlights))
    case .pixel(let stage): .pixel(stage.prepared(with: highlights))
    case .region(let stage): .region(stage.prepared(with: highlights))
    }
  }

  fileprivate func prepared(with analysis: PictureAnalysis) throws(RasterError) -> PlannedStage {
    switch self {
    case .frame(let stage): .frame(try stage.prepared(with: analysis))
    case .line(let stage): .line(try stage.prepared(with: analysis))
    case .mosaic(let stage): .mosaic(try stage.prepared(with: analysis))
    case .pixel(let stage): .pixel(try stage.prepared(with: analysis))
    case .region(let stage): .region(try stage.prepared(with: analysis))
    }
  }
}
