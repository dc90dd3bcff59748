import ColorScience
import Glibc
import Testing

/// The C library is the reference here, and only here; it is right to one unit in the last place.
@Suite struct PortableMathTests {
  /// A value of 0 to 1 from a counter: a low-discrepancy sequence, so that ranges are covered evenly.
  private func sequence(_ index: Int) -> Double {
    let value = Double(index) * 0.6180339887498949
    return value - value.rounded(.down)
  }

  private func largestRelativeError(
    from low: Double,
    to high: Double,
    _ function: (Double) -> Double,
    _ reference: (Double) -> Double
  ) -> Double {
    var worst = 0.0
    for index in 0..<40000 {
      let x = low + (high - low) * sequence(index)
      let expected = reference(x)
      let error = abs(function(x) - expected)
      worst = max(worst, expected == 0 ? error : error / abs(expected))
    }
    return worst
  }

  @Test(arguments: [(-1.0, 1.0), (-40, 40), (-1000, 1000)])
  func exponentialBase2(low: Double, high: Double) {
    #expect(
      largestRelativeError(from: low, to: high, PortableMath.exp2, Glibc.exp2) < 3e-16
    )
  }

  @Test(arguments: [(-1.0, 1.0), (-40, 40), (-700, 700)])
  func exponential(low: Double, high: Double) {
    #expect(largestRelativeError(from: low, to: high, PortableMath.exp, Glibc.exp) < 5e-16)
  }

  @Test(arguments: [(1e-9, 0.9), (1.1, 100), (1e10, 1e12)])
  func logarithms(low: Double, high: Double) {
    #expect(largestRelativeError(from: low, to: high, PortableMath.log, Glibc.log) < 1e-15)
    #expect(largestRelativeError(from: low, to: high, PortableMath.log2, Glibc.log2) < 1e-15)
  }

  @Test func logarithmNearOneKeepsRelativePrecision() {
    #expect(largestRelativeError(from: 0.999, to: 1.001, PortableMath.log, Glibc.log) < 5e-16)
  }

  @Test(arguments: [1 / 2.4, 2.4, 1.8, -0.5, 5.0])
  func power(exponent: Double) {
    let error = largestRelativeError(
      from: 1e-4,
      to: 4,
      { PortableMath.pow($0, exponent) },
      { Glibc.pow($0, exponent) }
    )
    #expect(error < 2e-14)
  }

  // glibc's own cbrt is off by up to 4 units in the last place (glibc manual, 19.7).
  @Test(arguments: [(1e-12, 1e-6), (1e-3, 1), (1, 1e9)])
  func cubeRoot(low: Double, high: Double) {
    #expect(largestRelativeError(from: low, to: high, PortableMath.cbrt, Glibc.cbrt) < 9e-16)
  }

  @Test(arguments: [3.2, 1000.0])
  func sineAndCosine(range: Double) {
    var worst = 0.0
    for index in 0..<40000 {
      let x = range * (2 * sequence(index) - 1)
      worst = max(worst, abs(PortableMath.sin(x) - Glibc.sin(x)))
      worst = max(worst, abs(PortableMath.cos(x) - Glibc.cos(x)))
    }
    #expect(worst < 3e-16)
  }

  @Test func arcTangentOfPoint() {
    var worst = 0.0
    for index in 0..<40000 {
      let x = 2 * sequence(index) - 1
      let y = 2 * sequence(7 * index + 3) - 1
      worst = max(worst, abs(PortableMath.atan2(y, x) - Glibc.atan2(y, x)))
    }
    #expect(worst < 1e-15)
    #expect(PortableMath.atan2(0, 0) == 0)
    #expect(PortableMath.atan2(0, -1) == Double.pi)
  }

  @Test func exactValues() {
    #expect(PortableMath.exp2(10) == 1024)
    #expect(PortableMath.exp2(-3) == 0.125)
    #expect(PortableMath.exp(0) == 1)
    #expect(PortableMath.log2(0.25) == -2)
    #expect(PortableMath.cbrt(27) == 3)
    #expect(PortableMath.cbrt(-0.125) == -0.5)
    #expect(PortableMath.pow(3, 0) == 1)
    #expect(PortableMath.pow(0, 0.4) == 0)
    #expect(PortableMath.sin(0) == 0)
    #expect(PortableMath.cos(0) == 1)
  }

  @Test func edgesOfTheRange() {
    #expect(PortableMath.exp2(1024) == .infinity)
    #expect(PortableMath.exp2(-1080) == 0)
    #expect(PortableMath.exp2(-1074) == 0x1p-1074)
    #expect(PortableMath.exp2(.nan).isNaN)
    #expect(PortableMath.exp(1000) == .infinity)
    #expect(PortableMath.exp(-1000) == 0)
    #expect(PortableMath.log(0) == -.infinity)
    #expect(PortableMath.log2(-1).isNaN)
    #expect(PortableMath.log(.infinity) == .infinity)
    #expect(PortableMath.sin(.infinity).isNaN)
    #expect(PortableMath.cbrt(0) == 0)
  }
}
