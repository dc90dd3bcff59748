/// A stage in its place in the plan; the kind says what it works on.
enum PlannedStage: Sendable {
  case frame(any FrameStage)
  case line(any LineStage)
  case mosaic(any MosaicStage)
  case pixel(any PixelStage)
  case region(any RegionStage)
  /// Moves pixels of the whole picture.
  case warp(ResolvedWarp)
  /// Resizes the picture to what is asked for.
  case scale

  /// What all kinds have in common; nil for what moves and resizes.
  var kernel: (any StageKernel)? {
    switch self {
    case .frame(let stage): stage
    case .line(let stage): stage
    case .mosaic(let stage): stage
    case .pixel(let stage): stage
    case .region(let stage): stage
    case .warp, .scale: nil
    }
  }
}
