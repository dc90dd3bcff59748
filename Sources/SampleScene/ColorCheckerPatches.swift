package import ColorScience

/// The 24 patches of a ColorChecker (made after November 2014), from dark skin to black, row by row.
///
/// CIE Lab under D50 as X-Rite publishes them ("New color specifications for ColorChecker SG and
/// Classic charts").
package enum ColorCheckerPatches {
  package static let lab: [Lab] = [
    Lab(lightness: 37.54, a: 14.37, b: 14.92),
    Lab(lightness: 64.66, a: 19.27, b: 17.50),
    Lab(lightness: 49.32, a: -3.82, b: -22.54),
    Lab(lightness: 43.46, a: -12.74, b: 22.72),
    Lab(lightness: 54.94, a: 9.61, b: -24.79),
    Lab(lightness: 70.48, a: -32.26, b: -0.37),
    Lab(lightness: 62.73, a: 35.83, b: 56.50),
    Lab(lightness: 39.43, a: 10.75, b: -45.17),
    Lab(lightness: 50.57, a: 48.64, b: 16.67),
    Lab(lightness: 30.10, a: 22.54, b: -20.87),
    Lab(lightness: 71.77, a: -24.13, b: 58.19),
    Lab(lightness: 71.51, a: 18.24, b: 67.37),
    Lab(lightness: 28.37, a: 15.42, b: -49.80),
    Lab(lightness: 54.38, a: -39.72, b: 32.27),
    Lab(lightness: 42.43, a: 51.05, b: 28.62),
    Lab(lightness: 81.80, a: 2.67, b: 80.41),
    Lab(lightness: 50.63, a: 51.28, b: -14.12),
    Lab(lightness: 49.57, a: -29.71, b: -28.32),
    Lab(lightness: 95.19, a: -1.03, b: 2.93),
    Lab(lightness: 81.29, a: -0.57, b: 0.44),
    Lab(lightness: 66.89, a: -0.75, b: -0.06),
    Lab(lightness: 50.76, a: -0.13, b: 0.14),
    Lab(lightness: 35.63, a: -0.46, b: -0.48),
    Lab(lightness: 20.64, a: 0.07, b: -0.46),
  ]
}
