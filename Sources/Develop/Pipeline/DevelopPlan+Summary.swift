internal import Raster
internal import RawModel
internal import Recipe

extension DevelopPlan {
  /// Every stage with its halo and memory; those of the kernels too.
  var summary: [StageSummary] {
    let tile = Developer.defaultTileSize
    let input = tile.grown(by: pictureHalo)
    let mosaic = input.grown(by: MenonDemosaic.halo + mosaicHalo)
    var result: [StageSummary] = []
    if readsAnalysis {
      let area = geometry.activeArea
      let blocks =
        area.width / PictureAnalysis.blockSize * (area.height / PictureAnalysis.blockSize)
      result.append(
        summary(
          "analysis",
          kind: .picture,
          bytes: blocks * MemoryLayout<PictureAnalysis.Block>.stride
        )
      )
    }
    let isMosaic = layout.samplesPerPixel == 1 && layout != .linear(planes: 1)
    var isLinear = false
    var isColor = false
    for stage in stages {
      switch stage {
      case .frame: break
      case .line, .mosaic:
        if !isLinear { result.append(linearizationSummary) }
        isLinear = true
      case .pixel, .region:
        if !isLinear { result.append(linearizationSummary) }
        isLinear = true
        if isMosaic && !isColor { result.append(demosaicSummary(input)) }
        isColor = true
      }
      result.append(summary(stage, input: input, mosaic: mosaic))
    }
    result.append(summary("output", kind: .pixel, bytes: 0))
    return result
  }

  private var linearizationSummary: StageSummary {
    StageSummary(
      name: LinearizationStage.name,
      version: LinearizationStage.version,
      kind: .line,
      halo: 0,
      scratchByteCount: 0,
      readsWholePicture: false
    )
  }

  private func demosaicSummary(_ input: PixelSize) -> StageSummary {
    StageSummary(
      name: "demosaic.\(demosaic.rawValue)",
      version: 1,
      kind: .mosaic,
      halo: demosaic == .menon ? MenonDemosaic.halo : 1,
      scratchByteCount: MenonDemosaic.scratchRowCount * input.width / 2 * 4,
      readsWholePicture: false
    )
  }

  private func summary(_ name: String, kind: StageSummary.Kind, bytes: Int) -> StageSummary {
    StageSummary(
      name: name,
      version: 1,
      kind: kind,
      halo: 0,
      scratchByteCount: bytes,
      readsWholePicture: kind == .picture
    )
  }

  private func summary(_ stage: PlannedStage, input: PixelSize, mosaic: PixelSize) -> StageSummary {
    let kernel = stage.kernel
    var kind = StageSummary.Kind.pixel
    var halo = 0
    var bytes = 0
    switch stage {
    case .frame: kind = .frame
    case .line: kind = .line
    case .mosaic(let stage):
      kind = .mosaic
      halo = stage.halo
      bytes = (2 * mosaic.height + stage.scratchRowCount / 2) * mosaic.width * 4
    case .pixel(let stage): bytes = stage.scratchRowCount * input.width * 4
    case .region(let stage):
      kind = .region
      halo = stage.halo
      bytes = (6 + stage.scratchPlaneCount) * input.width * input.height * 4
    }
    return StageSummary(
      name: type(of: kernel).name,
      version: type(of: kernel).version,
      kind: kind,
      halo: halo,
      scratchByteCount: bytes,
      readsWholePicture: kernel.readsAnalysis || kernel.readsHighlights
    )
  }
}

extension PixelSize {
  fileprivate func grown(by halo: Int) -> PixelSize {
    PixelSize(width: width + 2 * halo, height: height + 2 * halo)
  }
}
