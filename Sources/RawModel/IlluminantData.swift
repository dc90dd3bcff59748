package import ColorScience

/// A light that no EXIF LightSource code names (IlluminantData1-3, 52533-52535).
///
/// DNG 1.7.1, "IlluminantData1".
package enum IlluminantData: Equatable, Sendable {
  case chromaticity(Chromaticity)
  /// Relative power at wavelengths `first`, `first + step` ... in nanometres.
  case spectrum(first: Double, step: Double, powers: [Double])
}
