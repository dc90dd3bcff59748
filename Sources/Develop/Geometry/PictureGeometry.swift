internal import Raster
internal import RawModel
internal import Recipe

/// Which pixels of a raw make the picture, at which size, and where each goes.
///
/// DNG 1.7.1 chapter 4: ActiveArea, TrimBounds (an opcode), DefaultCrop, DefaultUserCrop or the recipe's
/// crop, DefaultScale and the recipe's scale, Orientation. Version 2.
struct PictureGeometry: Equatable, Sendable {
  /// The light-sensitive part of the stored frame.
  let activeArea: Region
  /// What TrimBounds leaves of the active area, in its pixels.
  let bounds: Region
  /// The shown part, in whole pixels of the active area.
  let crop: Region
  /// Whether the picture is made at half the size, a pixel for each 2x2 cell.
  let isHalf: Bool
  /// Whether pixels are resized after that.
  let isScaled: Bool
  /// The shown part in the pixels that are written: those of the active area, of its cells, or of the
  /// resized picture.
  let shown: Region
  let orientation: Orientation
  /// Of the turned picture.
  let size: PixelSize

  /// Pixels over which no raw is developed; it bounds every size computed from here on.
  static let sideLimit = 1 << 20

  /// What the recipe asks for.
  struct Request: Equatable {
    var scaleFactor = 1.0
    var isDraft = false
    /// Nil is the file's.
    var orientation: Orientation?
    /// Of the picture as it is seen; nil is the file's user crop.
    var crop: CropRectangle?
  }

  /// The pixels of the source: of the active area or of its cells.
  var source: RegionGeometry { isHalf ? .half : .full }

  /// Rounds the crop to whole pixels and keeps it within the bounds.
  init(
    _ description: RawDescription,
    bounds: Region? = nil,
    request: Request = Request()
  ) throws(DevelopError) {
    let active = try Self.activeArea(description)
    let bounds = bounds ?? Region(size: active.size)
    let orientation = request.orientation ?? description.orientation
    let crop = try Self.crop(
      description,
      bounds: bounds,
      user: request.crop.map { Self.stored($0, orientation) } ?? description.defaultUserCrop
    )
    let scale = description.defaultScale
    guard
      scale.horizontal.isFinite, scale.vertical.isFinite, (0.01...100).contains(scale.horizontal),
      (0.01...100).contains(scale.vertical)
    else {
      throw .geometryUnusable(
        tag: "DefaultScale",
        reason: "is \(scale.horizontal) x \(scale.vertical)"
      )
    }
    // Whoever asks for half the size or less gets nothing from pixels between the photosites.
    isHalf = request.isDraft || request.scaleFactor <= 0.5
    let isDraftSize = request.isDraft && request.scaleFactor > 0.5
    let factor = isDraftSize ? 0.5 : request.scaleFactor
    let size = PixelSize(
      width: try Self.scaled(crop.width, by: factor * scale.horizontal),
      height: try Self.scaled(crop.height, by: factor * scale.vertical)
    )
    let isSquare = scale.horizontal == 1 && scale.vertical == 1
    if isDraftSize && isSquare {
      // Cells as they are: no resizing.
      let left = crop.left / 2
      let top = crop.top / 2
      shown = Region(
        left: left,
        top: top,
        width: max(1, min((crop.right + 1) / 2 - left, size.width)),
        height: max(1, min((crop.bottom + 1) / 2 - top, size.height))
      )
      isScaled = false
    } else if request.scaleFactor == 1 && isSquare {
      shown = crop
      isScaled = false
    } else {
      shown = Region(size: size)
      isScaled = true
    }
    activeArea = active
    self.bounds = bounds
    self.crop = crop
    self.orientation = orientation
    self.size = orientation.turned(shown.size)
  }

  private static func activeArea(_ description: RawDescription) throws(DevelopError) -> Region {
    let frame = description.size
    guard (1...sideLimit).contains(frame.width), (1...sideLimit).contains(frame.height) else {
      throw .geometryUnusable(tag: "ImageWidth", reason: "and ImageLength give \(frame)")
    }
    let active = description.activeArea
    guard
      active.left >= 0, active.top >= 0, active.width > 0, active.height > 0,
      active.width <= frame.width - active.left, active.height <= frame.height - active.top
    else {
      throw .geometryUnusable(tag: "ActiveArea", reason: "is empty or reaches beyond the frame")
    }
    return active
  }

  private static func crop(
    _ description: RawDescription,
    bounds: Region,
    user: DefaultUserCrop
  ) throws(DevelopError) -> Region {
    guard
      (0...1).contains(user.left), (0...1).contains(user.top), user.right <= 1, user.bottom <= 1,
      user.left < user.right, user.top < user.bottom
    else {
      throw .geometryUnusable(tag: "DefaultUserCrop", reason: "is no part of the picture")
    }
    let crop = description.defaultCrop
    let left = try rounded(crop.originX + user.left * crop.width, tag: "DefaultCropOrigin")
    let top = try rounded(crop.originY + user.top * crop.height, tag: "DefaultCropOrigin")
    let width = try rounded((user.right - user.left) * crop.width, tag: "DefaultCropSize")
    let height = try rounded((user.bottom - user.top) * crop.height, tag: "DefaultCropSize")
    let whole = Region(
      left: bounds.left + left,
      top: bounds.top + top,
      // A narrow part of a small picture is still a picture.
      width: user == .whole ? width : max(width, 1),
      height: user == .whole ? height : max(height, 1)
    )
    let region = whole.intersection(bounds)
    guard !region.isEmpty else {
      throw .geometryUnusable(tag: "DefaultCropSize", reason: "leaves nothing of the active area")
    }
    return region
  }

  /// A part of the picture as it is seen, in the picture as it is stored.
  static func stored(_ crop: CropRectangle, _ orientation: Orientation) -> DefaultUserCrop {
    // The seen edges in the stored order: what is seen at u, v is stored at x, y.
    func mirrored(_ low: Double, _ high: Double) -> (Double, Double) { (1 - high, 1 - low) }
    let across = (crop.left, crop.right)
    let down = (crop.top, crop.bottom)
    let (x, y) =
      switch orientation {
      case .up: (across, down)
      case .upMirrored: (mirrored(across.0, across.1), down)
      case .down: (mirrored(across.0, across.1), mirrored(down.0, down.1))
      case .downMirrored: (across, mirrored(down.0, down.1))
      case .leftMirrored: (down, across)
      case .right: (down, mirrored(across.0, across.1))
      case .rightMirrored: (mirrored(down.0, down.1), mirrored(across.0, across.1))
      case .left: (mirrored(down.0, down.1), across)
      }
    return DefaultUserCrop(top: y.0, left: x.0, bottom: y.1, right: x.1)
  }

  private static func scaled(_ length: Int, by factor: Double) throws(DevelopError) -> Int {
    let scaled = (Double(length) * factor).rounded(.toNearestOrAwayFromZero)
    guard scaled <= Double(sideLimit) else {
      throw .geometryUnusable(tag: "DefaultScale", reason: "makes a side of \(scaled) pixels")
    }
    return max(1, Int(scaled))
  }

  private static func rounded(_ value: Double, tag: String) throws(DevelopError) -> Int {
    guard value.isFinite, value >= 0, value <= Double(sideLimit) else {
      throw .geometryUnusable(tag: tag, reason: "has the value \(value)")
    }
    return Int(value.rounded(.toNearestOrAwayFromZero))
  }
}

extension PictureGeometry {
  /// Where a shown pixel goes, and how the place moves from one pixel of a row to the next.
  struct Placement: Equatable {
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int
  }

  /// The place in the turned picture of the pixel at column `x`, row `y` of those that are written.
  ///
  /// Exif 2.32, Orientation (274).
  func placement(x: Int, y: Int) -> Placement {
    let u = x - shown.left
    let v = y - shown.top
    let right = shown.width - 1 - u
    let below = shown.height - 1 - v
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
