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

extension Illuminant {
  /// The chromaticity of the light: that of the CIE illuminant, or of the Planckian radiator of `kelvin`;
  /// nil for codes without one.
  package var chromaticity: Chromaticity? {
    switch rawValue {
    case 3, 17: Chromaticity(x: 0.44757, y: 0.40745)
    case 18: Chromaticity(x: 0.34842, y: 0.35161)
    case 19: Chromaticity(x: 0.31006, y: 0.31616)
    case 23: .d50
    case 1, 4, 9, 20: .d55
    case 10, 21: .d65
    case 11, 22: Chromaticity(x: 0.2990, y: 0.3149)
    default: kelvin.map { ColorTemperature(kelvin: $0, tint: 0).chromaticity }
    }
  }
}

extension Chromaticity {
  /// The chromaticity of a light from its relative power at wavelengths in nanometres.
  ///
  /// Nil for a spectrum without power or with values that are negative or not finite.
  package init?(spectrumFrom first: Double, step: Double, powers: [Double]) {
    guard
      let chromaticity = StandardObserver.chromaticity(first: first, step: step, powers: powers)
    else { return nil }
    self = chromaticity
  }
}
