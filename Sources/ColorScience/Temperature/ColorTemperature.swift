/// A white as photographers set it: correlated colour temperature and tint.
///
/// Both follow the DNG convention: temperature along the Planckian locus by Robertson's method, tint
/// the distance along the isotherm in CIE 1960 (u, v), times -3000: positive above the locus, so that
/// the correction adds magenta. Daylight lies at about +10.
package struct ColorTemperature: Equatable, Sendable {
  /// Kelvin.
  package var kelvin: Double
  /// In 3000ths of a (u, v) unit.
  package var tint: Double

  /// The temperatures that a recipe may ask for.
  package static let kelvinRange: ClosedRange<Double> = 2000...50000
  /// The tints that a recipe may ask for.
  package static let tintRange: ClosedRange<Double> = -150...150

  private static let tintScale = -3000.0

  package init(kelvin: Double, tint: Double) {
    self.kelvin = kelvin
    self.tint = tint
  }

  /// The temperature and tint of a chromaticity; Robertson (1968), linear in mired between isotherms.
  ///
  /// Temperatures beyond the table end at 1666.7 K and 1e6 K.
  package init(_ chromaticity: Chromaticity) {
    let table = RobertsonIsotherm.table
    let (u, v) = chromaticity.uv1960
    // The signed distance from an isotherm; it falls from positive to negative as the mired grow.
    func distance(_ isotherm: RobertsonIsotherm) -> Double {
      let direction = isotherm.direction
      return (v - isotherm.v) * direction.u - (u - isotherm.u) * direction.v
    }
    var upper = 1
    var before = distance(table[0])
    var after = distance(table[1])
    while after > 0 && upper < table.count - 1 {
      upper += 1
      before = after
      after = distance(table[upper])
    }
    // The share of the isotherm before; 1 and 0 hold colours beyond the table's ends on its ends.
    let share: Double
    if before <= 0 {
      share = 1
    } else if after >= 0 {
      share = 0
    } else {
      share = -after / (before - after)
    }
    let point = Self.locus(table[upper - 1], table[upper], share: share)
    let along = (u - point.u) * point.directionU + (v - point.v) * point.directionV
    self.init(kelvin: 1e6 / max(point.mired, 1), tint: along * Self.tintScale)
  }

  /// The chromaticity with this temperature and tint.
  package var chromaticity: Chromaticity {
    let table = RobertsonIsotherm.table
    let mired = 1e6 / kelvin
    var upper = 1
    while upper < table.count - 1 && table[upper].mired < mired { upper += 1 }
    let share = (table[upper].mired - mired) / (table[upper].mired - table[upper - 1].mired)
    let point = Self.locus(table[upper - 1], table[upper], share: share)
    let offset = tint / Self.tintScale
    return Chromaticity(
      u: point.u + offset * point.directionU,
      v: point.v + offset * point.directionV
    )
  }

  private struct LocusPoint {
    var mired: Double
    var u: Double
    var v: Double
    var directionU: Double
    var directionV: Double
  }

  private static func locus(
    _ before: RobertsonIsotherm,
    _ after: RobertsonIsotherm,
    share: Double
  ) -> LocusPoint {
    func mix(_ a: Double, _ b: Double) -> Double { a * share + b * (1 - share) }
    let u = mix(before.direction.u, after.direction.u)
    let v = mix(before.direction.v, after.direction.v)
    let length = (u * u + v * v).squareRoot()
    return LocusPoint(
      mired: mix(before.mired, after.mired),
      u: mix(before.u, after.u),
      v: mix(before.v, after.v),
      directionU: u / length,
      directionV: v / length
    )
  }
}
