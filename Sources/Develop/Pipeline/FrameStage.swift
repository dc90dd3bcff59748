internal import Raster
internal import RawModel

/// A stage on the stored samples of the whole frame, before linearisation: OpcodeList1.
protocol FrameStage: StageKernel {
  /// Changes stored samples in place and keeps their kind; masked pixels are there too, coordinates are the frame's.
  ///
  /// `description` says what the samples are.
  func apply(
    _ samples: inout StoredSamples,
    description: RawDescription,
    scheduler: TileScheduler
  ) throws(RasterError)
}
