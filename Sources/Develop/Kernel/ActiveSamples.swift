internal import Raster
internal import RawModel

/// The stored samples of a raw's active area, for the length of a development.
// @unsafe: points into the frame's plane, which the caller of `Developer` lends for as long.
@unsafe
struct ActiveSamples {
  /// The first sample of the active area.
  let corner: UnsafePointer<UInt16>
  /// Samples from a row to the next.
  let stride: Int

  /// `frame` is the first sample of the stored frame.
  init(frame: UnsafePointer<UInt16>, stride: Int, plan: DevelopPlan) {
    let area = plan.geometry.activeArea
    let samples = plan.layout.samplesPerPixel
    unsafe corner = frame + (area.top * stride + area.left * samples)
    unsafe self.stride = stride
  }
}
