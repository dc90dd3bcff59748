internal import Raster
internal import RawModel

/// Where points of the active area lie in a linear picture; pixel centres are whole numbers in both.
package struct PixelMap: Equatable, Sendable {
  /// Pixels of the picture for one of the active area, along the active area's rows.
  package let scaleX: Double
  /// The same along its columns.
  package let scaleY: Double
  /// Whether the active area's rows are the picture's columns.
  package let isTransposed: Bool
  private let originX: Double
  private let originY: Double
  private let width: Double
  private let height: Double
  private let orientation: Orientation

  init(_ development: LinearDevelopment) {
    let area = development.area
    guard development.level.layout != .demosaiced || !development.isTurned else {
      let geometry = development.plan.geometry
      let pass = development.plan.passes.last?.geometry ?? .full
      let corner = pass.place(x: geometry.shown.left, y: geometry.shown.top)
      self.init(
        originX: corner.x,
        originY: corner.y,
        stepX: pass.stepX,
        stepY: pass.stepY,
        size: geometry.shown.size,
        orientation: geometry.orientation
      )
      return
    }
    // Of planes: the cells' first photosites.
    let step: Double = development.level.layout == .planes ? 2 : 1
    self.init(
      originX: Double(area.left),
      originY: Double(area.top),
      stepX: step,
      stepY: step,
      size: development.size,
      orientation: .up
    )
  }

  /// - Parameters:
  ///   - originX: Where the first pixel lies in the active area.
  ///   - originY: The same along its columns.
  ///   - stepX: Pixels of the active area from one pixel to the next.
  ///   - stepY: The same along its columns.
  ///   - size: Of the picture, not turned.
  ///   - orientation: How it is turned.
  private init(
    originX: Double,
    originY: Double,
    stepX: Double,
    stepY: Double,
    size: PixelSize,
    orientation: Orientation
  ) {
    scaleX = 1 / stepX
    scaleY = 1 / stepY
    self.originX = originX
    self.originY = originY
    width = Double(size.width)
    height = Double(size.height)
    self.orientation = orientation
    isTransposed = orientation.isTransposed
  }

  /// The place in the picture of a point of the active area.
  package func place(x: Double, y: Double) -> (x: Double, y: Double) {
    let u = (x - originX) * scaleX
    let v = (y - originY) * scaleY
    let right = width - 1 - u
    let below = height - 1 - v
    return switch orientation {
    case .up: (u, v)
    case .upMirrored: (right, v)
    case .down: (right, below)
    case .downMirrored: (u, below)
    case .leftMirrored: (v, u)
    case .right: (below, u)
    case .rightMirrored: (below, right)
    case .left: (v, right)
    }
  }
}
