internal import Raster
internal import RawModel

/// The stored samples of a raw's active area, for the length of a development.
// @unsafe: points into the frame's plane, which the caller of `Developer` lends for as long.
@unsafe
struct ActiveSamples {
  /// The type of the samples in memory.
  let kind: StoredSamples.Kind
  /// The first sample of the active area.
  let first: UnsafeRawPointer
  /// Samples from a row to the next.
  let stride: Int

  /// - Parameters:
  ///   - frame: The first sample of the stored frame.
  ///   - kind: Its type.
  ///   - stride: Samples from a row of the frame to the next.
  ///   - plan: Says where the active area is.
  init(frame: UnsafeRawPointer, kind: StoredSamples.Kind, stride: Int, plan: DevelopPlan) {
    let area = plan.geometry.activeArea
    let samples = plan.layout.samplesPerPixel
    let size = kind == .uint16 ? 2 : 4
    unsafe first = frame + (area.top * stride + area.left * samples) * size
    unsafe self.kind = kind
    unsafe self.stride = stride
  }

  /// The sample at `index` of a row, of whatever type.
  @inline(__always)
  func pointer<Sample>(
    _ type: Sample.Type,
    row: Int,
    index: Int
  ) -> UnsafePointer<Sample> {
    unsafe first.assumingMemoryBound(to: type) + (row * stride + index)
  }
}
