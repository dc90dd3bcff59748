/// A stage in its place in the plan; the kind says what it works on.
enum PlannedStage: Sendable {
  case frame(any FrameStage)
  case line(any LineStage)
  case mosaic(any MosaicStage)
  case pixel(any PixelStage)
  case region(any RegionStage)

  /// What all kinds have in common.
  var kernel: any StageKernel {
    switch self {
    case .frame(let stage): stage
    case .line(let stage): stage
    case .mosaic(let stage): stage
    case .pixel(let stage): stage
    case .region(let stage): stage
    }
  }
}
