import ColorScience
import Testing

@Suite struct ColorTemperatureTests {
  /// CIE daylight and standard illuminant A by Robertson's method with the corrected table; computed
  /// with an independent double-precision implementation.
  @Test(arguments: [
    (Chromaticity(x: 0.3457, y: 0.3585), 5000.7, 9.56),
    (Chromaticity(x: 0.3324, y: 0.3474), 5502.3, 9.99),
    (Chromaticity(x: 0.3127, y: 0.3290), 6503.7, 9.77),
    (Chromaticity(x: 0.2990, y: 0.3149), 7506.5, 9.75),
    (Chromaticity(x: 0.44757, y: 0.40745), 2855.8, 0.01),
  ])
  func standardWhites(white: Chromaticity, kelvin: Double, tint: Double) {
    let temperature = ColorTemperature(white)
    #expect(abs(temperature.kelvin - kelvin) < 0.06)
    #expect(abs(temperature.tint - tint) < 0.006)
  }

  @Test func roundTripOverTheRange() {
    for step in 0...200 {
      // Even steps in reciprocal temperature, where the eye and the table are even.
      let mired = 20 + Double(step) / 200 * 480
      for tint in stride(from: -150.0, through: 150, by: 25) {
        let asked = ColorTemperature(kelvin: 1e6 / mired, tint: tint)
        let found = ColorTemperature(asked.chromaticity)
        #expect(abs(1e6 / found.kelvin - mired) < 0.35, "\(asked) \(found)")
        #expect(abs(found.tint - tint) < 0.05, "\(asked) \(found)")
      }
    }
  }

  @Test func positiveTintLiesAboveTheLocus() {
    let green = ColorTemperature(kelvin: 5000, tint: 50).chromaticity
    let magenta = ColorTemperature(kelvin: 5000, tint: -50).chromaticity
    #expect(green.y > magenta.y)
  }

  @Test func coloursBeyondTheTableStayFinite() {
    for white in [
      Chromaticity(x: 0.7, y: 0.29), Chromaticity(x: 0.16, y: 0.02), .init(x: 0.2, y: 0.2),
    ] {
      let temperature = ColorTemperature(white)
      #expect(temperature.kelvin.isFinite && temperature.tint.isFinite)
      #expect(temperature.kelvin >= 1e6 / 600 - 1e-9)
    }
  }

  @Test func illuminantCodes() {
    #expect(Illuminant(rawValue: 17).kelvin == 2856)
    #expect(Illuminant(rawValue: 21).kelvin == 6500)
    #expect(Illuminant(rawValue: 23).kelvin == 5000)
    #expect(Illuminant(rawValue: 0).kelvin == nil)
    #expect(Illuminant(rawValue: 255).kelvin == nil)
  }
}
