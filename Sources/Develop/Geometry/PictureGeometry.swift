internal import Raster
internal import RawModel

/// Which pixels of a raw make the picture, and where each goes.
struct PictureGeometry: Equatable, Sendable {
  /// The light-sensitive part of the stored frame.
  let activeArea: Region
  /// The shown part, from the active area's corner, in whole pixels.
  let crop: Region
  let orientation: Orientation
  /// Of the turned picture.
  let size: PixelSize

  /// Pixels over which no raw is developed; it bounds every size computed from here on.
  static let sideLimit = 1 << 20

  /// Rounds the default crop's origin and size to whole pixels and keeps it within the active area.
  init(_ description: RawDescription) throws(DevelopError) {
    let frame = description.size
    guard
      (1...Self.sideLimit).contains(frame.width), (1...Self.sideLimit).contains(frame.height)
    else {
      throw .geometryUnusable(tag: "ImageWidth", reason: "and ImageLength give \(frame)")
    }
    let active = description.activeArea
    guard
      active.left >= 0, active.top >= 0, active.width > 0, active.height > 0,
      active.width <= frame.width - active.left, active.height <= frame.height - active.top
    else {
      throw .geometryUnusable(tag: "ActiveArea", reason: "is empty or reaches beyond the frame")
    }
    let crop = description.defaultCrop
    let left = try Self.rounded(crop.originX, tag: "DefaultCropOrigin")
    let top = try Self.rounded(crop.originY, tag: "DefaultCropOrigin")
    let width = try Self.rounded(crop.width, tag: "DefaultCropSize")
    let height = try Self.rounded(crop.height, tag: "DefaultCropSize")
    let shown = Region(left: left, top: top, width: width, height: height)
    let region = shown.intersection(Region(size: active.size))
    guard !region.isEmpty else {
      throw .geometryUnusable(tag: "DefaultCropSize", reason: "leaves nothing of the active area")
    }
    activeArea = active
    self.crop = region
    orientation = description.orientation
    size = description.orientation.turned(region.size)
  }

  private static func rounded(_ value: Double, tag: String) throws(DevelopError) -> Int {
    guard value.isFinite, value >= 0, value <= Double(sideLimit) else {
      throw .geometryUnusable(tag: tag, reason: "has the value \(value)")
    }
    return Int(value.rounded(.toNearestOrAwayFromZero))
  }
}

extension PictureGeometry {
  /// Where a pixel of the crop goes, and how the place moves from one pixel of a row to the next.
  struct Placement: Equatable {
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int
  }

  /// The place in the turned picture of the pixel at column `x`, row `y` of the active area.
  ///
  /// Exif 2.32, Orientation (274).
  func placement(x: Int, y: Int) -> Placement {
    let u = x - crop.left
    let v = y - crop.top
    let right = crop.width - 1 - u
    let below = crop.height - 1 - v
    return switch orientation {
    case .up: Placement(x: u, y: v, stepX: 1, stepY: 0)
    case .upMirrored: Placement(x: right, y: v, stepX: -1, stepY: 0)
    case .down: Placement(x: right, y: below, stepX: -1, stepY: 0)
    case .downMirrored: Placement(x: u, y: below, stepX: 1, stepY: 0)
    case .leftMirrored: Placement(x: v, y: u, stepX: 0, stepY: 1)
    case .right: Placement(x: below, y: u, stepX: 0, stepY: 1)
    case .rightMirrored: Placement(x: below, y: right, stepX: 0, stepY: -1)
    case .left: Placement(x: v, y: right, stepX: 0, stepY: -1)
    }
  }
}
