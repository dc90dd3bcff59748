import Develop
import Raster
import RawModel
import Recipe
import Testing

/// The adjustments of the quality stages in whole developments.
@Suite struct QualityStagesTests {
  private static let amounts:
    [(String, any WritableKeyPath<DevelopAdjustments, Double?> & Sendable)] =
      [
        ("luminanceNoiseReductionAmount", \.luminanceNoiseReductionAmount),
        ("colorNoiseReductionAmount", \.colorNoiseReductionAmount),
        ("sharpnessAmount", \.sharpnessAmount),
        ("contrastAmount", \.contrastAmount),
        ("detailAmount", \.detailAmount),
        ("moireReductionAmount", \.moireReductionAmount),
        ("despeckleAmount", \.despeckleAmount),
        ("localContrastCompress", \.localContrastCompress),
      ]

  private static func frame(_ layout: SampleLayout) throws -> RawFrame {
    var description = TestFrame.description(
      120,
      90,
      layout: layout,
      color: TestFrame.nikon,
      white: 60000
    )
    description.noiseProfile = NoiseProfile(planes: [.init(scale: 2e-3, offset: 1e-5)])
    return try TestFrame.noise(description, seed: 61, hot: (x: 26, y: 22))
  }

  /// The amounts at nothing: that of despeckling would follow the noise.
  private static var nothing: DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    adjustments.despeckleAmount = 0
    return adjustments
  }

  @Test(arguments: 0..<amounts.count)
  func anAmountOfZeroIsTheIdentity(index: Int) throws {
    let frame = try Self.frame(.mosaic(.rggb))
    var zero = Self.nothing
    zero[keyPath: Self.amounts[index].1] = 0
    #expect(try Development(frame, zero) == Development(frame, Self.nothing))
  }

  /// Every amount does something, and the more the larger it is.
  @Test(arguments: 0..<amounts.count)
  func anAmountDoesWhatItSays(index: Int) throws {
    let frame = try Self.frame(.mosaic(.rggb))
    let plain = try Development(frame, Self.nothing)
    var last = 0.0
    for amount in [0.1, 0.5, 1] {
      var adjustments = Self.nothing
      adjustments[keyPath: Self.amounts[index].1] = amount
      let result = try Development(frame, adjustments)
      var sum = 0.0
      for (a, b) in zip(plain.sixteen, result.sixteen) {
        let difference = Double(Int(a) - Int(b))
        sum += difference * difference
      }
      #expect(sum > last, "\(Self.amounts[index].0) \(amount)")
      last = sum
    }
  }

  /// All stages together: the same bytes for every tile size and number of lanes.
  @Test(arguments: [SampleLayout.mosaic(.gbrg), .linear(planes: 3), .linear(planes: 1)])
  func tilesAndLanesDoNotMatter(layout: SampleLayout) throws {
    let frame = try Self.frame(layout)
    var adjustments = DevelopAdjustments()
    for (_, path) in Self.amounts { adjustments[keyPath: path] = 0.6 }
    let whole = try Development(frame, adjustments)
    for (lanes, width, height) in [(1, 1000, 33), (3, 64, 64), (2, 7, 50), (1, 33, 20)] {
      let tiled = try Development(
        frame,
        adjustments,
        lanes: lanes,
        tileSize: PixelSize(width: width, height: height)
      )
      #expect(tiled == whole)
    }
  }

  /// Bright and dark halves come closer, grey stays, detail stays.
  @Test func localContrastCompresses() throws {
    let description = TestFrame.description(400, 320, layout: .linear(planes: 3))
    let frame = try TestFrame.frame(description) { sample, y in
      let x = sample / 3
      let light = x < 200 ? 0.01 : 0.6
      let detail = (x / 2 + y / 2) % 2 == 0 ? 1.1 : 0.9
      return UInt16(light * detail * 65535)
    }
    var adjustments = DevelopAdjustments.linear
    let plain = try Development(frame, adjustments)
    adjustments.localContrastCompress = 1
    let compressed = try Development(frame, adjustments)
    func mean(_ picture: Development, _ columns: Range<Int>) -> Double {
      var sum = 0
      for x in columns { for y in 100..<140 { sum += picture.pixel(x, y)[1] } }
      return Double(sum) / Double(columns.count * 40)
    }
    #expect(mean(compressed, 20..<60) > 1.5 * mean(plain, 20..<60))
    #expect(mean(compressed, 340..<380) < 0.9 * mean(plain, 340..<380))
    func contrast(_ picture: Development, _ x: Int) -> Double {
      Double(picture.pixel(x, 100)[1]) / Double(picture.pixel(x + 2, 100)[1])
    }
    for x in [40, 360] {
      #expect(abs(contrast(compressed, x) / contrast(plain, x) - 1) < 0.03)
    }
  }
}
