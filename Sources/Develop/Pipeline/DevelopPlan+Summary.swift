internal import Raster
internal import RawModel
internal import Recipe

extension DevelopPlan {
  /// Every stage with its halo and memory; those of the kernels too.
  var summary: [StageSummary] {
    let tile = Developer.defaultTileSize
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
    let first = passes[0]
    let input = first.inputSize(ofTiles: first.tileSize(tile))
    let mosaic = input.grown(by: MenonDemosaic.halo + mosaicHalo)
    for stage in frameStages { result.append(summary(.frame(stage), input: mosaic)) }
    result.append(linearizationSummary)
    for step in mosaicSteps {
      switch step {
      case .lines(let stages):
        for stage in stages { result.append(summary(.line(stage), input: mosaic)) }
      case .mosaic(let stage): result.append(summary(.mosaic(stage), input: mosaic))
      }
    }
    for (index, pass) in passes.enumerated() {
      result += passSummary(pass, tile: tile, index: index)
    }
    result.append(summary("output", kind: .pixel, bytes: 0))
    return result
  }

  private func passSummary(_ pass: DevelopPass, tile: PixelSize, index: Int) -> [StageSummary] {
    let tile = pass.tileSize(tile)
    let region = tile.grown(by: pass.halo)
    let input = pass.inputSize(ofTiles: tile)
    var result: [StageSummary] = []
    switch pass.source {
    case .raw:
      if layout.isMosaic { result.append(demosaicSummary(input)) }
    case .half:
      result.append(summary("halfSize", kind: .mosaic, bytes: 15 * input.width * 4))
    case .intermediate(let warps):
      let area = passes[index - 1].output
      result.append(
        summary("intermediate", kind: .picture, bytes: area.width * area.height * 6)
      )
      for warp in warps {
        result.append(summary(warp.stageName, kind: .picture, bytes: 0))
      }
    }
    for stage in pass.pixels { result.append(summary(.pixel(stage), input: input)) }
    if let scale = pass.scale {
      result.append(
        StageSummary(
          name: ScaleStage.name,
          version: ScaleStage.version,
          kind: .region,
          halo: max(scale.columns.tapCount, scale.lines.tapCount) / 2,
          scratchByteCount: 9 * input.width * 4,
          readsWholePicture: false
        )
      )
    }
    for step in pass.steps {
      switch step {
      case .pixels(let stages):
        for stage in stages { result.append(summary(.pixel(stage), input: region)) }
      case .region(let stage): result.append(summary(.region(stage), input: region))
      }
    }
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

  /// A stage's line; `input` is the largest tile that it sees.
  private func summary(_ stage: PlannedStage, input: PixelSize) -> StageSummary {
    guard let kernel = stage.kernel else { preconditionFailure("passes have these themselves") }
    var kind = StageSummary.Kind.pixel
    var halo = 0
    var bytes = 0
    switch stage {
    case .frame: kind = .frame
    case .line: kind = .line
    case .mosaic(let stage):
      kind = .mosaic
      halo = stage.halo
      bytes = (2 * input.height + stage.scratchRowCount / 2) * input.width * 4
    case .pixel(let stage): bytes = stage.scratchRowCount * input.width * 4
    case .region(let stage):
      kind = .region
      halo = stage.halo
      bytes = (6 + stage.scratchPlaneCount) * input.width * input.height * 4
    case .warp, .scale: break
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

extension ResolvedWarp {
  /// The opcode's name as stages have theirs.
  fileprivate var stageName: String { name.prefix(1).lowercased() + name.dropFirst() }
}
