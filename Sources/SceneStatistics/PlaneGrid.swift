internal import Raster
internal import RawModel

/// Where the samples of one plane lie among those of the frame.
struct PlaneGrid {
  /// Samples of the plane in the area.
  let width: Int
  let height: Int
  /// Samples of the frame's row from one sample of the plane to the next.
  let stepX: Int
  /// Rows of the frame from one row of the plane to the next.
  let stepY: Int
  /// The plane's first sample in a row of the frame.
  let left: Int
  /// The plane's first row in the frame.
  let top: Int

  /// The plane `index` in the order of `SensorPlane.planes(of:)`.
  init(area: StatisticsArea, layout: SampleLayout, index: Int) {
    switch layout {
    case .mosaic:
      let inner = area.inActiveArea
      // The first column and row of the area with the photosite's parity in the active area.
      let x = (index & 1) ^ (inner.left & 1)
      let y = (index >> 1) ^ (inner.top & 1)
      left = area.region.left + x
      top = area.region.top + y
      width = max(0, (area.region.width - x + 1) / 2)
      height = max(0, (area.region.height - y + 1) / 2)
      stepX = 2
      stepY = 2
    case .array: preconditionFailure("the planes of other filter arrays have no names")
    case .linear(let planes):
      left = area.region.left * planes + index
      top = area.region.top
      width = area.region.width
      height = area.region.height
      stepX = planes
      stepY = 1
    }
  }

  /// The place of the plane's sample (x, y) in a frame whose rows are `stride` samples apart.
  func offset(x: Int, y: Int, stride: Int) -> Int {
    (top + y * stepY) * stride + left + x * stepX
  }
}
