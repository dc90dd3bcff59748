/// Chromatic adaptation between whites.
package enum ChromaticAdaptation {
  /// The linearised Bradford cone responses: Lam, "Metamerism and Colour Constancy" (1985); ICC.1:2022
  /// annex E.
  package static let bradfordCones = Matrix3(
    Vector3(0.8951, 0.2664, -0.1614),
    Vector3(-0.7502, 1.7135, 0.0367),
    Vector3(0.0389, -0.0685, 1.0296)
  )

  /// The matrix that takes XYZ under `source` to the corresponding XYZ under `destination`.
  ///
  /// A cone response that is not positive (a white far outside every locus) is kept within 1/10 and
  /// 10 of the other, so that the result stays finite and invertible.
  package static func bradford(from source: Chromaticity, to destination: Chromaticity) -> Matrix3 {
    let before = bradfordCones * source.xyz
    let after = bradfordCones * destination.xyz
    func gain(_ before: Double, _ after: Double) -> Double {
      guard before > 0, after > 0 else { return after > 0 ? 10 : 0.1 }
      return min(max(after / before, 0.1), 10)
    }
    let gains = Vector3(
      gain(before.x, after.x),
      gain(before.y, after.y),
      gain(before.z, after.z)
    )
    return inverseCones * Matrix3(diagonal: gains) * bradfordCones
  }

  // The determinant is 1.41; the fallback is never taken.
  private static let inverseCones = bradfordCones.inverse ?? .identity
}
