internal import Raster
internal import RawModel
internal import Recipe

/// Every stage of one development, set up and checked before the first pixel, and how they are run.
///
/// Stages on single samples and pixels run fused, a row of a tile at a time. Stages that look at neighbours
/// run over tiles that are larger by the halos that follow. What needs the whole picture, and halos too
/// wide to demosaic all of them twice, are in a pass of their own: see `DevelopPass`.
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
  /// From the stored samples to linear Display P3; at least one.
  private(set) var passes: [DevelopPass] = []

  /// Stages before the demosaic that run together.
  enum MosaicStep: Sendable {
    case lines([any LineStage])
    case mosaic(any MosaicStage)
  }

  /// Halo of a first pass up to which tiles overlap rather than being put down in between.
  ///
  /// With 64 pixels around 512 half of the demosaic is done twice, but a picture in between takes 6 bytes a pixel of
  /// fresh memory: `develop.detail` at 24 MP ran at 20.7 megapixels a CPU second in 187 MB, with a picture in
  /// between at 17.5 to 19.8 in 335 MB.
  static let overlapLimit = 64

  init(_ description: RawDescription, settings: DevelopSettings) throws(DevelopError) {
    let context = try StageContext(description, settings: settings)
    geometry = context.geometry
    layout = description.layout
    demosaic = settings.demosaic
    // The first look, and recipes for measuring, demosaic in linear light and take no account of noise.
    demosaicNoise =
      settings.decoderVersion == .one || settings.isLinear
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
  var readsHighlights: Bool { stages.contains { $0.kernel?.readsHighlights == true } }

  /// Whether a stage needs the picture's analysis.
  var readsAnalysis: Bool { stages.contains { $0.kernel?.readsAnalysis == true } }

  /// Sorts the stages into steps and passes.
  private mutating func arrange() {
    frameStages.removeAll()
    mosaicSteps.removeAll()
    for (index, stage) in stages.enumerated() {
      switch stage {
      case .frame(let stage):
        precondition(mosaicSteps.isEmpty, "OpcodeList1 comes first")
        frameStages.append(stage)
      case .line(let stage):
        if case .lines(let lines)? = mosaicSteps.last {
          mosaicSteps[mosaicSteps.count - 1] = .lines(lines + [stage])
        } else {
          mosaicSteps.append(.lines([stage]))
        }
      case .mosaic(let stage):
        mosaicSteps.append(.mosaic(stage))
      case .pixel, .region, .warp, .scale:
        passes = Self.passes(stages[index...], geometry: geometry)
        return
      }
    }
    passes = Self.passes([], geometry: geometry)
  }

  private static func passes(
    _ stages: ArraySlice<PlannedStage>,
    geometry: PictureGeometry
  ) -> [DevelopPass] {
    var passes: [DevelopPass] = []
    var pass = DevelopPass(
      source: geometry.isHalf ? .half : .raw,
      sourceGeometry: geometry.source,
      activeArea: geometry.activeArea.size
    )
    func close(warps: [ResolvedWarp] = []) {
      passes.append(pass)
      pass = DevelopPass(
        source: .intermediate(warps),
        sourceGeometry: pass.geometry,
        activeArea: geometry.activeArea.size
      )
    }
    for (index, stage) in zip(stages.indices, stages) {
      switch stage {
      case .frame, .line, .mosaic: preconditionFailure("samples come before colours")
      case .pixel(let stage): pass.append(stage)
      case .region(let stage):
        if !pass.isFromIntermediate && pass.regionStages.isEmpty
          && halo(stages[index...]) > overlapLimit
        {
          close()
        }
        pass.steps.append(.region(stage))
      case .warp(let warp):
        let warp = warp.scaled(to: pass.geometry)
        if case .intermediate(let warps) = pass.source, pass.steps.isEmpty {
          pass.source = .intermediate(warps + [warp])
        } else {
          close(warps: [warp])
        }
      case .scale:
        if !pass.regionStages.isEmpty { close() }
        pass.pixels = pass.trailingPixels
        pass.steps = []
        pass.scale = ScaleStage(
          crop: geometry.crop,
          size: geometry.shown.size,
          source: pass.sourceGeometry,
          margin: halo(stages[index...])
        )
      }
    }
    passes.append(pass)
    // What each must make for the next, last to first.
    var needed = geometry.shown
    for index in passes.indices.reversed() {
      passes[index].output = needed
      guard case .intermediate(let warps) = passes[index].source else { break }
      // A warp may read anything of the image that it is for. What else is read beyond the active area is
      // mirrored, so that no pass makes pixels of which the raw has none.
      needed =
        warps.isEmpty
        ? passes[index].input(of: needed.grown(by: passes[index].halo))
          .intersection(passes[index].sourceGrid)
        : geometry.isHalf ? geometry.bounds.halved : geometry.bounds
    }
    return passes
  }

  /// The halos of all region stages up to the next warp or resizing.
  private static func halo(_ stages: ArraySlice<PlannedStage>) -> Int {
    var halo = 0
    for stage in stages.dropFirst() {
      if case .warp = stage { break }
      if case .scale = stage { break }
      if case .region(let stage) = stage { halo += stage.halo }
    }
    if case .region(let stage)? = stages.first { halo += stage.halo }
    return halo
  }
}

extension Region {
  /// The 2x2 cells that the pixels lie in.
  var halved: Region {
    Region(
      left: left >> 1,
      top: top >> 1,
      width: (right + 1) >> 1 - left >> 1,
      height: (bottom + 1) >> 1 - top >> 1
    )
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

  /// Rows and columns around the demosaic's input that the mosaic stages need.
  var mosaicHalo: Int { mosaicStages.reduce(0) { $0 + $1.halo } }
}

extension PlannedStage {
  fileprivate func prepared(with highlights: Highlights?) -> PlannedStage {
    switch self {
    case .frame(let stage): .frame(stage.prepared(with: highlights))
    case .line(let stage): .line(stage.prepared(with: highlights))
    case .mosaic(let stage): .mosaic(stage.prepared(with: highlights))
    case .pixel(let stage): .pixel(stage.prepared(with: highlights))
    case .region(let stage): .region(stage.prepared(with: highlights))
    case .warp, .scale: self
    }
  }

  fileprivate func prepared(with analysis: PictureAnalysis) throws(RasterError) -> PlannedStage {
    switch self {
    case .frame(let stage): .frame(try stage.prepared(with: analysis))
    case .line(let stage): .line(try stage.prepared(with: analysis))
    case .mosaic(let stage): .mosaic(try stage.prepared(with: analysis))
    case .pixel(let stage): .pixel(try stage.prepared(with: analysis))
    case .region(let stage): .region(try stage.prepared(with: analysis))
    case .warp, .scale: self
    }
  }
}
