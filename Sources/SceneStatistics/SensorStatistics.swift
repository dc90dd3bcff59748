package import ColorScience
package import Raster

/// Everything that is measured on a raw's samples before any colour: exact histograms of each plane and
/// what follows from them, noise, balance of the greens, neutrals.
package struct SensorStatistics: Equatable, Sendable {
  /// The counted pixels, in the stored frame.
  package let area: Region
  /// In the order of `SensorPlane.planes(of:)`.
  package let planes: [PlaneStatistics]
  /// For each plane, where its noise could be fitted.
  package let noise: [NoiseFit?]
  /// The plane that clips first when exposure rises, and by how many EV it may; nil where no plane has
  /// a headroom.
  package let limiting: (plane: SensorPlane, headroomEV: Double)?
  /// The mean of green 1 over that of green 2, black subtracted; nil without two greens or light.
  package let greenRatio: Double?
  /// The camera neutral of a grey world: the unclipped means of red, green and blue, black subtracted
  /// and scaled so that the largest is 1; nil for monochrome raws and where a mean is not above black.
  package let greyWorldNeutral: Vector3?
  /// The same of the 99th percentiles of what is not clipped.
  package let whitePatchNeutral: Vector3?

  package static func == (left: Self, right: Self) -> Bool {
    left.area == right.area && left.planes == right.planes && left.noise == right.noise
      && left.limiting?.plane == right.limiting?.plane
      && left.limiting?.headroomEV == right.limiting?.headroomEV
      && left.greenRatio == right.greenRatio && left.greyWorldNeutral == right.greyWorldNeutral
      && left.whitePatchNeutral == right.whitePatchNeutral
  }
}
