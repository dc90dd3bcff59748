extension SIMD8<Float> {
  /// One over the square root, to 5 parts in a million; for normal numbers above 0.
  ///
  /// A first guess from halving the exponent, then two Newton steps: products and sums only, so that it
  /// vectorises and gives the same bits everywhere. (The library's `squareRoot` goes lane by lane.)
  @inline(__always)
  var reciprocalSquareRoot: Self {
    let guess = BitLanes(repeating: 0x5F37_59DF) &- (bits &>> BitLanes(repeating: 1))
    let half = self * 0.5
    var root = Self(bits: guess)
    root *= Self(repeating: 1.5) - half * root * root
    root *= Self(repeating: 1.5) - half * root * root
    return root
  }

  /// The square root within two units in the last place; 0 for what is not above 1e-30.
  @inline(__always)
  var portableSquareRoot: Self {
    let positive = maximum(Self(repeating: 1e-30))
    let reciprocal = positive.reciprocalSquareRoot
    let root = positive * reciprocal
    // Heron's step with the reciprocal in place of a division.
    let refined = root + (positive - root * root) * reciprocal * 0.5
    return refined.replacing(with: 0, where: self .<= Self(repeating: 1e-30))
  }

  /// Third-order blend from 0 at or below 0 to 1 at or above 1.
  @inline(__always)
  var smoothStep: Self {
    let t = unitClamped
    return t * t * (Self(repeating: 3) - (t + t))
  }
}
