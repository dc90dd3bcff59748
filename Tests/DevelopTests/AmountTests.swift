import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// What holds for every adjustment that is an amount, on one picture with noise, edges, a hot photosite and
/// clipped light: 0 does nothing, more does more, and a little more does a little more.
@Suite struct AmountTests {
  /// The adjustments by their recipe names; those of the curve need the curve.
  enum Amount: String, CaseIterable {
    case boostAmount, boostShadowAmount, shadowBias
    case luminanceNoiseReductionAmount, colorNoiseReductionAmount
    case sharpnessAmount, contrastAmount, detailAmount
    case moireReductionAmount, despeckleAmount, localToneMapAmount, localContrastCompress

    var path: WritableKeyPath<DevelopAdjustments, Double?> {
      switch self {
      case .boostAmount: \.boostAmount
      case .boostShadowAmount: \.boostShadowAmount
      case .shadowBias: \.shadowBias
      case .luminanceNoiseReductionAmount: \.luminanceNoiseReductionAmount
      case .colorNoiseReductionAmount: \.colorNoiseReductionAmount
      case .sharpnessAmount: \.sharpnessAmount
      case .contrastAmount: \.contrastAmount
      case .detailAmount: \.detailAmount
      case .moireReductionAmount: \.moireReductionAmount
      case .despeckleAmount: \.despeckleAmount
      case .localToneMapAmount: \.localToneMapAmount
      case .localContrastCompress: \.localContrastCompress
      }
    }

    /// The amount that asks for nothing.
    var nothing: Double { self == .boostShadowAmount ? 1 : 0 }

    /// From that amount, which way it is followed.
    var direction: Double { self == .boostShadowAmount ? -1 : 1 }
  }

  private static let side = 96

  private static func frame() throws -> RawFrame {
    var description = TestFrame.description(
      side,
      side,
      layout: .mosaic(.rggb),
      color: TestFrame.nikon
    )
    description.noiseProfile = NoiseProfile(planes: [.init(scale: 4e-4, offset: 4e-7)])
    description.gainTableMap = ProfileGainTableMap(
      version: 1,
      pointsV: 2,
      pointsH: 2,
      spacingV: 1,
      spacingH: 1,
      originV: 0,
      originH: 0,
      pointsN: 2,
      inputWeights: [0, 1, 0, 0, 0],
      gains: [1, 1.5, 1.2, 2, 0.8, 1.1, 1, 1.4]
    )
    var state: UInt64 = 7
    return try TestFrame.frame(description) { x, y in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Int(state >> 56) - 128
      if x == 40 && y == 41 { return 60_000 }
      let edge = (x / 16 + y / 24) % 2 == 0 ? 9_000 : 21_000
      let light = x > 80 ? 65_535 : edge + 60 * y + 8 * noise
      return UInt16(min(max(light, 0), 65_535))
    }
  }

  private static func picture(_ frame: borrowing RawFrame, _ amount: Amount, _ value: Double?)
    throws -> [Int]
  {
    var adjustments = DevelopAdjustments()
    for other in Amount.allCases where other != .boostAmount && other != .boostShadowAmount {
      adjustments[keyPath: other.path] = other.nothing
    }
    adjustments[keyPath: amount.path] = value
    return try Development(frame, adjustments, depths: [.sixteen]).sixteen.map { Int($0) }
  }

  /// Steps of a sixteenth and of a sixty-fourth: the largest change of a sample shrinks with the step.
  @Test(arguments: Amount.allCases)
  func littleByLittle(amount: Amount) throws {
    let frame = try Self.frame()
    func value(_ step: Int, of count: Int) -> Double {
      amount.nothing + amount.direction * Double(step) / Double(count)
    }
    let none = try Self.picture(frame, amount, amount.nothing)
    var last = none
    var lastDistance = 0
    var coarse = 0
    for step in 1...16 {
      let next = try Self.picture(frame, amount, value(step, of: 16))
      coarse = max(coarse, zip(next, last).reduce(0) { max($0, abs($1.0 - $1.1)) })
      let distance = zip(next, none).reduce(0) { $0 + abs($1.0 - $1.1) }
      #expect(distance >= lastDistance, "\(amount) \(value(step, of: 16))")
      (last, lastDistance) = (next, distance)
    }
    #expect(lastDistance > 0, "\(amount) does nothing here")
    var fine = 0
    for start in [0, 21, 42, 63] {
      let low = try Self.picture(frame, amount, value(start, of: 64))
      let high = try Self.picture(frame, amount, value(start + 1, of: 64))
      fine = max(fine, zip(high, low).reduce(0) { max($0, abs($1.0 - $1.1)) })
    }
    // A quarter of the step, with room for a bend of the response; a jump would not shrink.
    #expect(fine <= coarse / 2 + 8, "\(amount): \(fine) by 1/64, \(coarse) by 1/16")
  }

  /// An amount of nothing leaves the stage out of the plan: what is not there changes no bit.
  @Test(arguments: Amount.allCases)
  func nothingIsNoStage(amount: Amount) throws {
    let frame = try Self.frame()
    func stages(_ value: Double) throws -> Set<String> {
      var adjustments = DevelopAdjustments.linear
      for other in Amount.allCases { adjustments[keyPath: other.path] = other.nothing }
      if amount == .boostShadowAmount { adjustments.boostAmount = 1 }
      adjustments[keyPath: amount.path] = value
      let settings = try DevelopSettings(resolving: adjustments, for: frame.description)
      return Set(try Developer.stages(of: frame.description, settings: settings).map(\.name))
    }
    let without = try stages(amount.nothing)
    let with = try stages(amount.nothing + amount.direction / 2)
    // The boost's parts share the curve, which is there for either.
    let isOfTheCurve = amount == .boostShadowAmount
    #expect(without.isSubset(of: with) && (isOfTheCurve || with != without), "\(without) \(with)")
  }
}
