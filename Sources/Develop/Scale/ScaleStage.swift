internal import Raster
internal import RawModel

/// Resizes the picture in linear light: DefaultScale and `scaleFactor`.
///
/// See `ScaleFilter`. Version 1.
struct ScaleStage: Sendable {
  static let name = "scale"
  static let version = 1

  let columns: ScaleFilter
  let lines: ScaleFilter
  /// Pixels of the source from one of the result to the next.
  let stepX: Double
  let stepY: Double
  /// How the pixels of the result lie in the active area.
  let geometry: RegionGeometry

  /// - Parameters:
  ///   - crop: What of the active area is shown.
  ///   - size: What it becomes, not turned.
  ///   - source: How the source's pixels lie in the active area.
  ///   - margin: Pixels beyond the result that later stages read.
  init(crop: Region, size: PixelSize, source: RegionGeometry, margin: Int) {
    let stepX = Double(crop.width) / Double(size.width)
    let stepY = Double(crop.height) / Double(size.height)
    let originX = Double(crop.left) - 0.5 + stepX / 2
    let originY = Double(crop.top) - 0.5 + stepY / 2
    geometry = RegionGeometry(
      originX: Self.exact(originX),
      originY: Self.exact(originY),
      stepX: Self.exact(stepX),
      stepY: Self.exact(stepY)
    )
    self.stepX = stepX / source.stepX
    self.stepY = stepY / source.stepY
    columns = ScaleFilter(
      count: size.width,
      origin: (originX - source.originX) / source.stepX,
      step: self.stepX,
      margin: margin
    )
    lines = ScaleFilter(
      count: size.height,
      origin: (originY - source.originY) / source.stepY,
      step: self.stepY,
      margin: margin
    )
  }

  /// A place or a step to a 2^-30th, so that a pixel's place is the same double from whichever tile's corner
  /// it is reckoned: places lie within 2^21, so that sums are exact.
  private static func exact(_ value: Double) -> Double { (value * 0x1p30).rounded() * 0x1p-30 }
}
