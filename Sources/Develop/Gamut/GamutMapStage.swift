internal import ColorScience

/// Brings colours outside Display P3 into it, in linear Display P3.
///
/// For each channel the distance from the largest one, `d = (largest - channel) / largest`, is 0 on the
/// neutral axis, 1 on the gamut's boundary and above 1 outside. Distances over a threshold are
/// compressed: `d' = t + (d - t) / (1 + (d - t) / s)` with `s` such that the largest distance that the
/// working space can have comes to 1. Colours whose distances are all within the threshold stay as they
/// are, to the bit.
///
/// The form is that of the ACES Reference Gamut Compression (S-2021-001) with its power set to 1, so
/// that it needs nothing but a division, and with limits of its own: those of ROMM RGB within Display
/// P3. Version 1.
struct GamutMapStage: PixelStage, Equatable {
  static let name = "gamutMap"

  /// Where compression begins, for all channels.
  static let threshold = 0.9

  /// `s` of red, green and blue.
  let scales: Vector3

  static let rommToDisplayP3 = GamutMapStage(limits: limits(from: .romm, in: .displayP3))

  init?(_ context: StageContext) {
    guard context.settings.isGamutMappingEnabled else { return nil }
    self = .rommToDisplayP3
  }

  /// - Parameter limits: The distances that come to 1; above 1.
  init(limits: Vector3) {
    // d'(limit) = 1 solved for s.
    let t = Self.threshold
    scales = (limits - t) * (1 - t) / (limits - 1)
  }

  /// The largest distance of each channel that a colour of one space can have in another.
  ///
  /// It lies on an edge of the cone that the primaries span. Along an edge a distance is a quotient of
  /// linear functions, hence monotone, as long as the largest channel stays the same: so it is enough
  /// to look at the ends and where two channels are equal.
  static func limits(from source: RGBSpace, in destination: RGBSpace) -> Vector3 {
    let matrix = source.matrix(to: destination)
    // Over 1, so that the scales stay finite also for a space within the destination.
    var limits = Vector3(repeating: 1.001)
    for (first, second) in [(0, 1), (1, 2), (2, 0)] {
      let a = matrix.column(first)
      let b = matrix.column(second)
      var shares = [0.0, 1]
      for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        // share * a + (1 - share) * b has equal channels i and j.
        let share = (b[j] - b[i]) / (a[i] - a[j] - b[i] + b[j])
        if share > 0 && share < 1 { shares.append(share) }
      }
      for share in shares {
        let there = share * a + (1 - share) * b
        let largest = there.max()
        limits = pointwiseMax(limits, (Vector3(repeating: largest) - there) / largest)
      }
    }
    return limits
  }
}

extension Matrix3 {
  fileprivate func column(_ index: Int) -> Vector3 { transposed.rows[index] }
}
