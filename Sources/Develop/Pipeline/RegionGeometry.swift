internal import Raster

/// How pixels of a pass lie in the active area.
struct RegionGeometry: Equatable, Sendable {
  /// Where pixel (0, 0) of the pass lies, in pixels of the active area.
  var originX: Double
  var originY: Double
  /// Pixels of the active area from one pixel of the pass to the next.
  var stepX: Double
  var stepY: Double

  /// Pixels as they are.
  static let full = RegionGeometry(originX: 0, originY: 0, stepX: 1, stepY: 1)
  /// The centres of 2x2 cells.
  static let half = RegionGeometry(originX: 0.5, originY: 0.5, stepX: 2, stepY: 2)

  /// The pixels whose centres lie in an active area of this size.
  func pixels(of area: PixelSize) -> Region {
    func range(_ origin: Double, _ step: Double, _ count: Int) -> Range<Int> {
      let first = ((-0.5 - origin) / step).rounded(.up)
      let last = ((Double(count) - 0.5 - origin) / step).rounded(.down)
      // A pixel of a picture that shrinks to next to nothing may be centred beyond it.
      return Int(min(first, last))..<(Int(last) + 1)
    }
    let columns = range(originX, stepX, area.width)
    let rows = range(originY, stepY, area.height)
    return Region(
      left: columns.lowerBound,
      top: rows.lowerBound,
      width: columns.count,
      height: rows.count
    )
  }

  /// Where a pixel and those to its right lie.
  func place(x: Int, y: Int) -> RowPlace {
    RowPlace(y: originY + stepY * Double(y), x: originX + stepX * Double(x), step: stepX)
  }
}
