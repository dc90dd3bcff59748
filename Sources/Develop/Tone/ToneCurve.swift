/// The project's base curve: what makes a linear picture look like a photograph.
///
/// `T(x) = x (p x + q) / (b x^2 + c x + 1)` from (0, 0) to (1, 1), with its three free parameters set by
/// what a photographer can check: a slope of 3/4 at black (shadows a quarter darker than linear, for
/// depth), mid grey 0.18 lifted to 0.38 (a little over one stop, as prints are lighter than linear
/// scenes), and a slope of 1/5 at white (highlights roll off and keep separation). A quotient of
/// quadratics needs one division, no table and no transcendental function, so it vectorises and gives
/// the same bits everywhere. Version 1.
struct ToneCurve: Equatable, Sendable {
  let p: Double
  let q: Double
  let b: Double
  let c: Double

  static let base = ToneCurve(slopeAtBlack: 0.75, grey: 0.18, lift: 0.38, slopeAtWhite: 0.2)

  /// Solves the linear equations for the slopes at both ends, the grey point and `T(1) = 1`.
  init(slopeAtBlack: Double, grey m: Double, lift v: Double, slopeAtWhite s: Double) {
    let q = slopeAtBlack
    // T'(1) = s and T(1) = 1 give b and c as functions of p; T(m) = v then gives p.
    let constant = v * (m * m * (1 - s * q) + m * (q - 2 + s * q) + 1) - m * q
    let factor = m * m - v * m * m * (1 - s) - v * m * s
    p = constant / factor
    self.q = q
    b = p + 1 - s * (p + q)
    c = q - 2 + s * (p + q)
  }
}
