import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct PixelStagesTests {
  private static let cameraToWorking = RGBSpace.displayP3.matrix(to: .romm)

  private static func encoded(_ linear: Double) -> Double { TransferFunction.sRGB.encode(linear) }

  struct Case: Sendable, CustomTestStringConvertible {
    var exposure = 0.0
    var baseline = 0.0
    var shadowBias = 0.0
    var boost = 0.0
    var shadows = 1.0
    var gamut = false

    var testDescription: String {
      "EV \(exposure)+\(baseline) bias \(shadowBias) boost \(boost) shadows \(shadows) gamut \(gamut)"
    }

    var adjustments: DevelopAdjustments {
      var adjustments = DevelopAdjustments()
      adjustments.isHighlightRecoveryEnabled = false
      adjustments.exposure = exposure
      adjustments.baselineExposure = baseline
      adjustments.shadowBias = shadowBias
      adjustments.boostAmount = boost
      adjustments.boostShadowAmount = shadows
      adjustments.isGamutMappingEnabled = gamut
      return adjustments
    }
  }

  static let cases: [Case] = [
    Case(), Case(exposure: 1), Case(exposure: -2, baseline: 0.5), Case(shadowBias: 5),
    Case(shadowBias: 100), Case(boost: 1), Case(exposure: 0.7, shadowBias: 5, boost: 1),
    Case(boost: 0.4), Case(boost: 1, shadows: 0), Case(boost: 1, shadows: 2),
    Case(shadowBias: 5, boost: 0.8, shadows: 1.5), Case(gamut: true),
    Case(shadowBias: 5, boost: 1, gamut: true),
  ]

  /// Random colours with many near black, on the neutral axis and on the boundary.
  @Test(arguments: cases)
  func equalsTheTwin(item: Case) throws {
    let seed: UInt64 = 31
    var generator = SeededGenerator(seed: seed)
    let description = TestFrame.description(64, 40, layout: .linear(planes: 3))
    var codes: [UInt16] = []
    for pixel in 0..<(64 * 40) {
      let ceiling = pixel % 3 == 0 ? 3000 : 65535
      var color = (0..<3).map { _ in UInt16.random(in: 0...UInt16(ceiling), using: &generator) }
      if pixel % 5 == 0 { color = [color[0], color[0], color[0]] }
      if pixel % 7 == 0 { color[Int.random(in: 0..<3, using: &generator)] = 0 }
      if pixel % 11 == 0 { color[Int.random(in: 0..<3, using: &generator)] = 65535 }
      codes += color
    }
    let frame = try TestFrame.frame(description) { x, y in codes[y * 192 + x] }
    let result = try Development(frame, item.adjustments)
    var twin = PixelTwin(cameraToWorking: Self.cameraToWorking)
    twin.exposureEV = item.exposure + item.baseline
    twin.black = 0.001 * item.shadowBias
    twin.boostAmount = item.boost
    twin.boostShadowAmount = item.shadows
    twin.isGamutMapped = item.gamut
    var worst16 = 0.0
    var worst8 = 0.0
    var sum8 = 0.0
    for pixel in 0..<(64 * 40) {
      let camera = Vector3(
        Double(codes[3 * pixel]),
        Double(codes[3 * pixel + 1]),
        Double(codes[3 * pixel + 2])
      )
      let expected = twin.render(camera / 65535)
      for channel in 0..<3 {
        let value = Self.encoded(expected[channel])
        let sixteen = Double(result.sixteen[3 * pixel + channel])
        let eight = Double(result.eight[3 * pixel + channel])
        worst16 = max(worst16, abs(sixteen - 65535 * value))
        worst8 = max(worst8, abs(eight - 255 * value))
        sum8 += eight - 255 * value
      }
    }
    // Rounding, and near black the curve's slope of 12.92 times the rounding of 32-bit matrices.
    #expect(worst16 < 1.2, "seed \(seed)")
    // A dither moves a code by less than one either way, the table by up to 0.06; not on average.
    #expect(worst8 < 1.07)
    #expect(abs(sum8 / Double(64 * 40 * 3)) < 0.02)
  }

  @Test func noBoostIsExactlyLinear() throws {
    let description = TestFrame.description(256, 1, layout: .linear(planes: 3))
    let frame = try TestFrame.frame(description) { x, _ in UInt16(x / 3 * 257) }
    var adjustments = DevelopAdjustments.linear
    let linear = try Development(frame, adjustments)
    adjustments.boostShadowAmount = 2
    #expect(try Development(frame, adjustments) == linear)
  }

  @Test(arguments: [0.0, 0.5, 1.0, 1.7, 2.0])
  func theCurveIsMonotone(shadows: Double) throws {
    let description = TestFrame.description(2048, 32, layout: .linear(planes: 1))
    let frame = try TestFrame.frame(description) { x, y in UInt16(y * 2048 + x) }
    var adjustments = DevelopAdjustments.linear
    adjustments.boostAmount = 1
    adjustments.boostShadowAmount = shadows
    let result = try Development(frame, adjustments, depths: [.sixteen])
    var last = -1
    for index in 0..<65536 {
      let value = Int(result.sixteen[3 * index])
      #expect(value >= last)
      last = value
    }
    #expect(result.sixteen[0] == 0 && last == 65535)
  }

  @Test func shadowAmountDarkensAndLightens() throws {
    let description = TestFrame.description(1, 1, layout: .linear(planes: 1))
    func grey(_ code: UInt16, _ shadows: Double) throws -> UInt16 {
      var adjustments = DevelopAdjustments.linear
      adjustments.boostAmount = 1
      adjustments.boostShadowAmount = shadows
      return try Development(try TestFrame.frame(description) { _, _ in code }, adjustments)
        .sixteen[0]
    }
    #expect(try grey(3000, 0) < grey(3000, 1))
    #expect(try grey(3000, 2) > grey(3000, 1))
    // Mid grey and above stay.
    #expect(try grey(12000, 0) == grey(12000, 2))
  }

  /// Display-referred: 18 % grey comes to 38 % by the base curve.
  @Test func midGreyLandsWhereTheCurveSays() throws {
    let description = TestFrame.description(1, 1, layout: .linear(planes: 1))
    var adjustments = DevelopAdjustments.linear
    adjustments.boostAmount = 1
    let frame = try TestFrame.frame(description) { _, _ in 11796 }
    let code = Double(try Development(frame, adjustments).sixteen[0])
    #expect(abs(code - 65535 * Self.encoded(0.38)) < 3)
  }

  /// Colours whose channels all stay above a tenth of the largest pass the gamut map to the bit.
  @Test func colorsWithinTheThresholdPassTheGamutMap() throws {
    var generator = SeededGenerator(seed: 5)
    let description = TestFrame.description(40, 40, layout: .linear(planes: 3))
    let frame = try TestFrame.frame(description) { _, _ in
      UInt16.random(in: 8000...65535, using: &generator)
    }
    var adjustments = DevelopAdjustments.linear
    let without = try Development(frame, adjustments)
    adjustments.isGamutMappingEnabled = true
    #expect(try Development(frame, adjustments) == without)
  }

  /// A ramp from neutral to a primary far outside Display P3 must not collapse into one colour.
  @Test func outOfGamutColorsKeepTheirSteps() throws {
    let camera = CameraColor(
      calibrations: [.init(illuminant: 23, colorMatrix: RGBSpace.romm.fromXYZ)],
      asShotWhite: .chromaticity(.d50)
    )
    let description = TestFrame.description(64, 1, layout: .linear(planes: 3), color: camera)
    let frame = try TestFrame.frame(description) { x, _ in
      x % 3 == 1 ? 40000 : UInt16(40000 - 40000 * (x / 3) / 63)
    }
    var adjustments = DevelopAdjustments.linear
    let clipped = try Development(frame, adjustments)
    #expect(clipped.pixel(63, 0)[0] == 0 && clipped.pixel(50, 0)[0] == 0)
    adjustments.isGamutMappingEnabled = true
    let mapped = try Development(frame, adjustments)
    for x in 1..<64 { #expect(mapped.pixel(x, 0)[0] < mapped.pixel(x - 1, 0)[0]) }
  }
}
