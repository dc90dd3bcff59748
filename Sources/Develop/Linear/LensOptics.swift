internal import Raster
internal import RawModel

/// What the warps of a raw say of its lens, in pixels of the active area.
package struct LensOptics: Equatable, Sendable {
  /// The specification's name of the opcode that says it.
  package let name: String
  package let centerX: Double
  package let centerY: Double
  /// Whether the picture went through the warps.
  package let isApplied: Bool
  /// The focal length of a picture that the warp made rectilinear, where the warp says it.
  ///
  /// Of WarpFisheye: a pixel at `r` times the distance of the farthest corner comes from the angle
  /// `atan r`, so that this distance is the focal length. DNG 1.7.1 chapter 7, "WarpFisheye".
  package let focalPixels: Double?
  /// How much larger the warp makes the middle of the picture: 1 / kr0.
  package let magnification: Double
  /// Whether several warps share in it, or the polynomial's middle is not where it holds.
  package let isUncertain: Bool

  /// Nil for a raw without warps.
  ///
  /// - Parameters:
  ///   - warps: The operations of the warps that count, in the file's order.
  ///   - bounds: The image that they are laid over.
  ///   - isApplied: Whether the picture went through them.
  init?(_ warps: [Opcode.Operation], bounds: Region, isApplied: Bool) {
    guard let last = warps.last else { return nil }
    let center: OpticalCenter
    var factor = 1.0
    var isFisheye = false
    var isInner = true
    func green<Element>(_ sets: [Element]) -> Element? { sets.count > 1 ? sets[1] : sets.first }
    switch last {
    case .warpRectilinear(let warp):
      center = warp.center
      factor = green(warp.sets)?.radial[0] ?? 1
    case .warpFisheye(let warp):
      center = warp.center
      isFisheye = true
    case .warpRectilinear2(let warp):
      center = warp.center
      if let set = green(warp.sets) {
        isInner = set.validRadius.lowerBound <= 0
        factor = warp.isReciprocal ? 1 / set.radial[0] : set.radial[0]
      }
    default: return nil
    }
    name = last.name
    let (right, below) = (Double(bounds.width - 1), Double(bounds.height - 1))
    let (x, y) = (center.x * right, center.y * below)
    guard x.isFinite, y.isFinite else { return nil }
    centerX = Double(bounds.left) + x
    centerY = Double(bounds.top) + y
    let (farX, farY) = (max(abs(x), abs(right - x)), max(abs(y), abs(below - y)))
    focalPixels = isFisheye ? (farX * farX + farY * farY).squareRoot() : nil
    let isUsable = factor.isFinite && factor > 0
    magnification = isUsable ? 1 / factor : 1
    isUncertain = warps.count > 1 || !isInner || !isUsable
    self.isApplied = isApplied
  }
}
