/// An EXIF LightSource code, as DNG's CalibrationIlluminant tags use them.
package struct Illuminant: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Correlated colour temperature in kelvin; nil for codes without one (0 unknown, 255 other).
  ///
  /// Standard illuminants by their CIE temperature; the fluorescent codes by the middle of the range
  /// that Exif 2.32 (LightSource, 37384) gives; daylight, flash and fine weather as D55, cloudy as D65,
  /// shade as D75, as the DNG specification's reference implementation has them.
  package var kelvin: Double? {
    switch rawValue {
    case 3, 17: 2856  // tungsten, standard light A
    case 24: 3200  // ISO studio tungsten
    case 23: 5000  // D50
    case 1, 4, 9, 18, 20: 5500  // daylight, flash, fine weather, standard light B, D55
    case 10, 19, 21: 6500  // cloudy, standard light C, D65
    case 11, 22: 7500  // shade, D75
    case 12: 6400  // daylight fluorescent, 5700 to 7100 K
    case 2: 4150  // fluorescent
    case 13: 5050  // day white fluorescent, 4600 to 5500 K
    case 14: 4150  // cool white fluorescent, 3800 to 4500 K
    case 15: 3525  // white fluorescent, 3250 to 3800 K
    case 16: 2925  // warm white fluorescent, 2600 to 3250 K
    default: nil
    }
  }
}
