internal import ColorScience
internal import Raster
internal import RawModel

/// A lens correction that moves pixels, checked and laid out over one image.
///
/// A pixel at the distance `d` (in units of the distance from the centre to the farthest corner) comes
/// from `centre + f(|d|) d + tangential(d)`. DNG 1.7.1 chapter 7, "WarpRectilinear", "WarpFisheye" and
/// "WarpRectilinear2". Version 1.
struct ResolvedWarp: Sendable {
  static let version = 1

  /// The specification's name of the opcode.
  let name: String
  /// The centre, in pixels of the grid.
  private(set) var centerX: Double
  private(set) var centerY: Double
  /// From the centre to the farthest corner, in pixels.
  private(set) var radius: Double
  /// Of red, green and blue.
  let colors: [Color]

  /// The correction of one colour.
  struct Color: Equatable, Sendable {
    let radial: Radial
    /// kt0 and kt1.
    let tangential: SIMD2<Float>
  }

  /// `f - 1` as a function of the squared distance.
  enum Radial: Equatable, Sendable {
    /// `c0 + c1 r^2 + c2 r^4 + c3 r^6`.
    case polynomial(SIMD4<Float>)
    /// Values at `tableSize + 1` places from 0 to 1, linear in between.
    case table([Float])
  }

  /// Steps of a table: at half of one, 16 pixels from the centre of a 24-megapixel picture, even a factor
  /// that is linear in the distance is off by less than a hundredth of a pixel.
  static let tableSize = 8192

  /// Whether a colour stays where it is.
  func isIdentity(_ color: Int) -> Bool {
    colors[color].tangential == .zero && colors[color].radial == .polynomial(.zero)
  }

  /// The same correction of a picture whose pixels lie otherwise.
  func scaled(to geometry: RegionGeometry) -> ResolvedWarp {
    var warp = self
    warp.centerX = (centerX - geometry.originX) / geometry.stepX
    warp.centerY = (centerY - geometry.originY) / geometry.stepY
    warp.radius = radius / geometry.stepX
    return warp
  }

  /// - Throws: `opcodeUnusable` for parameters that make no sense.
  init(_ warp: WarpRectilinear, bounds: Region) throws(DevelopError) {
    try self.init("WarpRectilinear", center: warp.center, bounds: bounds, setCount: warp.sets.count)
    {
      let set = warp.sets[$0]
      let k = set.radial
      return Color(
        radial: .polynomial(SIMD4(Float(k[0] - 1), Float(k[1]), Float(k[2]), Float(k[3]))),
        tangential: SIMD2(Float(set.tangential[0]), Float(set.tangential[1]))
      )
    }
  }

  /// - Throws: `opcodeUnusable` for parameters that make no sense.
  init(_ warp: WarpFisheye, bounds: Region) throws(DevelopError) {
    try self.init("WarpFisheye", center: warp.center, bounds: bounds, setCount: warp.sets.count) {
      let k = warp.sets[$0]
      let table = Self.table { r in
        // atan r / r goes to 1 with r.
        let angle = PortableMath.atan2(r, 1)
        let ratio = r > 0 ? angle / r : 1
        let square = angle * angle
        let factor = k[0] + square * (k[1] + square * (k[2] + square * k[3]))
        return ratio * factor
      }
      return Color(radial: .table(table), tangential: .zero)
    }
  }

  /// - Throws: `opcodeUnusable` for parameters that make no sense.
  init(_ warp: WarpRectilinear2, bounds: Region) throws(DevelopError) {
    try self.init(
      "WarpRectilinear2",
      center: warp.center,
      bounds: bounds,
      setCount: warp.sets.count
    ) {
      let set = warp.sets[$0]
      let table = Self.table { r in
        let held = min(max(r, set.validRadius.lowerBound), set.validRadius.upperBound)
        let value = set.radial.reversed().reduce(0.0) { $0 * held + $1 }
        return warp.isReciprocal ? 1 / value : value
      }
      return Color(
        radial: .table(table),
        tangential: SIMD2(Float(set.tangential[0]), Float(set.tangential[1]))
      )
    }
  }

  private init(
    _ name: String,
    center: OpticalCenter,
    bounds: Region,
    setCount: Int,
    color: (Int) -> Color
  ) throws(DevelopError) {
    func unusable(_ reason: String) -> DevelopError {
      .opcodeUnusable(list: 3, name: name, reason: reason)
    }
    guard setCount == 1 || setCount == 3 else {
      throw unusable("has parameters for \(setCount) planes")
    }
    let colors = (0..<3).map { color(setCount == 1 ? 0 : $0) }
    guard
      colors.allSatisfy({ color in
        switch color.radial {
        case .polynomial(let c): (0..<4).allSatisfy { c[$0].isFinite }
        case .table(let values): values.allSatisfy(\.isFinite)
        }
      }),
      colors.allSatisfy({ $0.tangential.x.isFinite && $0.tangential.y.isFinite })
    else { throw unusable("has a factor that is not finite") }
    guard let optics = Optics(center, bounds: bounds) else {
      throw unusable("has a centre outside the picture")
    }
    self.name = name
    centerX = optics.x
    centerY = optics.y
    radius = optics.radius
    self.colors = colors
  }

  /// `f - 1` at equal steps of the squared distance.
  private static func table(_ factor: (Double) -> Double) -> [Float] {
    (0...tableSize).map { index in
      Float(factor((Double(index) / Double(tableSize)).squareRoot()) - 1)
    }
  }
}

/// The centre of a lens correction and the radius that it counts in, in pixels.
struct Optics: Equatable {
  let x: Double
  let y: Double
  /// To the farthest corner pixel; at least 1.
  let radius: Double

  /// Nil for a centre far outside: no lens has its centre beyond the sensor's width.
  init?(_ center: OpticalCenter, bounds: Region) {
    guard
      center.x.isFinite, center.y.isFinite, (-1...2).contains(center.x), (-1...2).contains(center.y)
    else { return nil }
    let right = Double(bounds.width - 1)
    let bottom = Double(bounds.height - 1)
    let x = center.x * right
    let y = center.y * bottom
    let farX = max(abs(x), abs(right - x))
    let farY = max(abs(y), abs(bottom - y))
    radius = max((farX * farX + farY * farY).squareRoot(), 1)
    self.x = Double(bounds.left) + x
    self.y = Double(bounds.top) + y
  }
}
