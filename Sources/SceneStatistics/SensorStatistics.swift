package import ColorScience
package import Raster
package import RawModel

/// Everything that is measured on a raw's samples before any colour: exact histograms of each plane and
/// what follows from them, noise, balance of the greens, neutrals.
package struct SensorStatistics: Equatable, Sendable {
  /// The plane that clips first when exposure rises.
  package struct Limit: Equatable, Sendable {
    package let plane: SensorPlane
    /// EV by which exposure may rise until it does.
    package let headroomEV: Double
  }

  /// The counted pixels, in the stored frame.
  package let area: Region
  /// Levels for each stored unit: 1 for samples of up to 16 bits, whose codes are levels; see `LevelScale`.
  package let levelsPerUnit: Double
  /// Those that have samples in the area, in the order of `SensorPlane.planes(of:)`.
  package let planes: [PlaneStatistics]
  /// For each plane, where its noise could be fitted.
  package let noise: [NoiseFit?]
  /// For each plane, what NoiseProfile (51041) states.
  package let declaredNoise: [NoiseProfile.Plane?]
  /// For each plane, where it has masked photosites.
  package let masked: [MaskedLevel?]
  /// Nil where no plane has a headroom.
  package let limiting: Limit?
  /// Nil without two greens, or without light in them.
  package let greenBalance: GreenBalance?
  /// The camera neutral of a grey world: the unclipped means of red, green and blue, black subtracted
  /// and scaled so that the largest is 1; nil for monochrome raws and where a mean is not above black.
  package let greyWorldNeutral: Vector3?
  /// The same of the 99th percentiles of what is not clipped.
  package let whitePatchNeutral: Vector3?
  /// AsShotNeutral (50728), as the file has it; nil where it has none.
  package let asShotNeutral: Vector3?
}
