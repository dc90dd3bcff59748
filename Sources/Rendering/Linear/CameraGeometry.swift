internal import ColorScience
package import Develop
package import JSON
internal import Raster
package import RawModel

/// The intrinsic matrix of a linear picture, in its own pixels, whose centres are whole numbers.
///
/// What the file does not say is nil, never a guess.
package struct CameraGeometry: Equatable, Sendable {
  /// A number with where it comes from.
  package struct Estimate: Equatable, Sendable {
    /// Along the picture's rows and columns.
    package var x: Double
    package var y: Double
    /// In words.
    package var source: String
    /// Whether the file says it in a way that may be about another image, or is rounded.
    package var isUncertain: Bool
  }

  /// What the picture's lens distortion is.
  package enum Distortion: String, Sendable {
    /// The file's warp was applied: straight lines are straight.
    case corrected
    /// The file has a warp that was not applied.
    case uncorrected
    /// The file says nothing of it.
    case unknown
  }

  /// fx and fy.
  package var focalLength: Estimate?
  /// cx and cy.
  package var principalPoint: Estimate
  package var distortion: Distortion

  /// The diagonal of a 35 mm frame (24 x 36) in millimetres, by which equivalent focal lengths are stated:
  /// CIPA DCG-001.
  private static let frameDiagonal = (36.0 * 36 + 24 * 24).squareRoot()
  /// The share by which two sides or lengths may differ and still be the same: rounding of tags.
  private static let tolerance = 0.05
  /// Pixels to a millimetre of sensors, 30 to 0.4 micrometres apart; cameras also write the 72 to an inch of
  /// screens into FocalPlaneXResolution.
  private static let densities = 33.0...2500.0

  /// - Parameters:
  ///   - description: The raw's.
  ///   - map: Where points of the active area lie in the picture.
  ///   - optics: What the file's warps say, and whether they are applied.
  package init(_ description: RawDescription, map: PixelMap, optics: LensOptics?) {
    let size = description.activeArea.size
    if let optics {
      let center = map.place(x: optics.centerX, y: optics.centerY)
      principalPoint = Estimate(
        x: center.x,
        y: center.y,
        source: "\(optics.name), optical centre",
        isUncertain: false
      )
      distortion = optics.isApplied ? .corrected : .uncorrected
    } else {
      let center = map.place(x: Double(size.width - 1) / 2, y: Double(size.height - 1) / 2)
      principalPoint = Estimate(
        x: center.x,
        y: center.y,
        source: "centre of ActiveArea",
        isUncertain: true
      )
      distortion = .unknown
    }
    var focal = Self.focalLength(description)
    if let optics, optics.isApplied {
      if let pixels = optics.focalPixels {
        focal = Estimate(
          x: pixels,
          y: pixels,
          source: "\(optics.name), distance of the farthest corner",
          isUncertain: optics.isUncertain
        )
      } else if var stated = focal {
        stated.x *= optics.magnification
        stated.y *= optics.magnification
        stated.isUncertain = stated.isUncertain || optics.isUncertain
        focal = stated
      }
    }
    focalLength = focal.map { focal in
      var turned = focal
      let (x, y) = (focal.x * map.scaleX, focal.y * map.scaleY)
      (turned.x, turned.y) = map.isTransposed ? (y, x) : (x, y)
      return turned
    }
  }

  /// In pixels of the active area, along its rows and columns.
  private static func focalLength(_ description: RawDescription) -> Estimate? {
    let capture = description.capture
    let byFrame = focalLengthByFrame(description)
    guard let millimetres = capture.focalLengthMillimetres, millimetres.isFinite, millimetres > 0,
      let plane = capture.focalPlane, densities.contains(plane.pixelsPerMillimetreX),
      densities.contains(plane.pixelsPerMillimetreY)
    else { return byFrame }
    let scale = description.defaultScale
    // The Exif image has square pixels; those of the active area become so by DefaultScale.
    let x = millimetres * plane.pixelsPerMillimetreX / scale.horizontal
    let y = millimetres * plane.pixelsPerMillimetreY / scale.vertical
    guard x.isFinite, y.isFinite, x > 0, y > 0 else { return byFrame }
    var isUncertain = true
    if let width = plane.imageWidth, let height = plane.imageHeight {
      let crop = description.defaultCrop
      isUncertain =
        !isClose(Double(width), crop.width * scale.horizontal)
        || !isClose(Double(height), crop.height * scale.vertical)
    }
    if let byFrame, !isClose(byFrame.x, x) { isUncertain = true }
    return Estimate(
      x: x,
      y: y,
      source: "FocalLength and FocalPlaneXResolution",
      isUncertain: isUncertain
    )
  }

  /// By the 35 mm equivalent, over the diagonal of the default crop.
  private static func focalLengthByFrame(_ description: RawDescription) -> Estimate? {
    guard let equivalent = description.capture.focalLengthIn35mmFilm, equivalent > 0 else {
      return nil
    }
    let crop = description.defaultCrop
    let scale = description.defaultScale
    let (width, height) = (crop.width * scale.horizontal, crop.height * scale.vertical)
    let pixels = equivalent * (width * width + height * height).squareRoot() / frameDiagonal
    guard pixels.isFinite, pixels > 0 else { return nil }
    return Estimate(
      x: pixels / scale.horizontal,
      y: pixels / scale.vertical,
      source: "FocalLengthIn35mmFilm over the diagonal of DefaultCrop",
      isUncertain: true
    )
  }

  private static func isClose(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= tolerance * max(abs(left), abs(right))
  }

  /// The matrix rows where the focal length is known.
  package var matrix: [[Double]]? {
    focalLength.map { focal in
      [[focal.x, 0, principalPoint.x], [0, focal.y, principalPoint.y], [0, 0, 1]]
    }
  }

  package var json: JSONValue {
    .object(omittingAbsent: [
      "pixelCentres": "whole numbers",
      "matrix": matrix.map { .array($0.map { .array($0.map { JSONValue($0) }) }) },
      "focalLength": focalLength.map { $0.json("fx", "fy") },
      "principalPoint": principalPoint.json("cx", "cy"),
      "distortion": .string(distortion.rawValue),
    ])
  }
}

extension CameraGeometry.Estimate {
  fileprivate func json(_ first: String, _ second: String) -> JSONValue {
    .object([
      (first, JSONValue(x)), (second, JSONValue(y)), ("source", .string(source)),
      ("isUncertain", .bool(isUncertain)),
    ])
  }
}
