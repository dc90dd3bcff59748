extension SIMD3<Double> {
  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// Euclidean length.
  package var length: Double { (self * self).sum().squareRoot() }

  package func cross(_ other: Self) -> Self {
    Self(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x
    )
  }
}
