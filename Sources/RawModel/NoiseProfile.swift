/// The noise of the linear samples (NoiseProfile, 51041): of a sample x from 0 to 1 the variance is
/// `scale x + offset`.
///
/// DNG 1.7.1, "NoiseProfile".
package struct NoiseProfile: Equatable, Sendable {
  /// The model of one plane.
  package struct Plane: Equatable, Sendable {
    /// S, of the photons' noise; 0 or more.
    package var scale: Double
    /// O, of the read noise.
    package var offset: Double

    package init(scale: Double, offset: Double) {
      self.scale = scale
      self.offset = offset
    }

    /// The standard deviation of a sample; 0 where the model has a negative variance.
    package func deviation(at sample: Double) -> Double {
      max(0, scale * sample + offset).squareRoot()
    }
  }

  /// One for all planes, or one for each.
  package var planes: [Plane]

  /// - Precondition: there is a plane.
  package init(planes: [Plane]) {
    precondition(!planes.isEmpty)
    self.planes = planes
  }

  /// The model of a plane; of the last one for planes that have none of their own.
  package subscript(plane: Int) -> Plane {
    planes[min(max(plane, 0), planes.count - 1)]
  }
}
