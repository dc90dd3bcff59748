import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

/// Despeckling in noise of a known model.
@Suite struct DespeckleNoiseTests {
  private static let width = 240
  private static let height = 180
  private static let black = 4000.0
  private static let white = 60000.0
  /// The noise that a camera of full frame has at an ISO speed, where a file does not say.
  private static func profile(iso: Double) -> NoiseProfile {
    NoiseProfile(planes: [
      .init(scale: 2e-5 * iso / 100, offset: 4.5e-7 * iso * iso / 10000)
    ])
  }

  private static func description(iso: Double) -> RawDescription {
    var description = TestFrame.description(
      width,
      height,
      layout: .mosaic(.rggb),
      color: TestFrame.nikon,
      white: white,
      black: black
    )
    description.noiseProfile = profile(iso: iso)
    return description
  }

  /// A row of the scene: areas, a gradient, edges; not balanced.
  private static func light(_ x: Int, _ y: Int) -> Double {
    let grey = 0.05 + 0.12 * Double((x / 40 + y / 45) % 3) + 0.0005 * Double(y)
    return grey * [0.513, 1, 0.744][CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]]
  }

  /// Each a place and how much brighter it is, 1 being white.
  private static func hotPhotosites() -> [(x: Int, y: Int, excess: Double)] {
    var generator = SeededGenerator(seed: 71)
    return (0..<80).map { index in
      (
        x: 12 + 27 * (index % 8) + Int.random(in: 0..<14, using: &generator),
        y: 10 + 16 * (index / 8) + Int.random(in: 0..<8, using: &generator),
        excess: Double.random(in: 0.45...0.8, using: &generator)
      )
    }
  }

  private static func frame(iso: Double, areSomeHot: Bool, seed: UInt64 = 72) throws -> RawFrame {
    var generator = SeededGenerator(seed: seed)
    let model = profile(iso: iso)[0]
    var values: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
        let light = light(x, y)
        values.append(light + (sum - 6) * model.deviation(at: light))
      }
    }
    if areSomeHot { for hot in hotPhotosites() { values[hot.y * width + hot.x] += hot.excess } }
    return try TestFrame.frame(description(iso: iso)) { x, y in
      let code = black + values[y * width + x] * (white - black)
      return UInt16(min(max(code, 0), white).rounded())
    }
  }

  private static func adjustments(_ amount: Double?) -> DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    adjustments.despeckleAmount = amount
    adjustments.isHighlightRecoveryEnabled = false
    return adjustments
  }

  private static func mosaic(_ frame: borrowing RawFrame, _ amount: Double?) throws -> [Double] {
    let settings = try DevelopSettings(resolving: adjustments(amount), for: frame.description)
    var values: [Double] = []
    guard let plane = try Developer.mosaic(of: frame, settings: settings) else { return values }
    for y in 0..<height {
      plane.withRow(y) { row in for x in row.indices { values.append(Double(row[x])) } }
    }
    return values
  }

  @Test(arguments: [(800.0, 0.6), (3200, 1)])
  func theKernelAgreesWithItsTwin(iso: Double, amount: Double) throws {
    let frame = try Self.frame(iso: iso, areSomeHot: true)
    let gains = Vector3(1 / 0.51303, 1, 1 / 0.74419)
    let balanced = try Self.mosaic(frame, 0)
    func gain(_ index: Int) -> Double {
      let (x, y) = (index % Self.width, index / Self.width)
      return gains[CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]]
    }
    let model = Self.profile(iso: iso)[0]
    let twin = DespeckleTwin(
      width: Self.width,
      height: Self.height,
      pattern: .rggb,
      amount: amount,
      noise: NoiseModel(
        slope: Vector3(repeating: model.scale),
        offset: Vector3(repeating: model.offset)
      ),
      gains: gains,
      samples: balanced.indices.map { balanced[$0] / gain($0) }
    )
    let cleaned = try Self.mosaic(frame, amount)
    var changed = 0
    for index in cleaned.indices {
      let expected = twin.cleaned(index % Self.width, index / Self.width) * gain(index)
      #expect(abs(cleaned[index] - expected) < 2e-4)
      if abs(cleaned[index] - balanced[index]) > 0.05 { changed += 1 }
    }
    #expect(changed > 50)
  }

  /// Hot photosites of 9 and more deviations of noise: specks are those that lie more than six from the scene.
  @Test(arguments: [1600.0, 3200, 6400])
  func hotPhotositesGoUnasked(iso: Double) throws {
    let frame = try Self.frame(iso: iso, areSomeHot: true)
    let model = Self.profile(iso: iso)[0]
    func specks(_ amount: Double?) throws -> Int {
      let values = try Self.mosaic(frame, amount)
      return Self.hotPhotosites().count { place in
        let gain = [1 / 0.51303, 1, 1 / 0.74419][
          CFAPattern.rggb.colors[2 * (place.y & 1) + (place.x & 1)]
        ]
        let light = Self.light(place.x, place.y)
        let distance = values[place.y * Self.width + place.x] / gain - light
        return abs(distance) > 6 * model.deviation(at: light)
      }
    }
    let before = try specks(0)
    let after = try specks(nil)
    #expect(before >= 76)
    #expect(4 * after <= before, "\(after) of \(before) stay")
  }

  /// What noise does is not taken for specks: the picture stays.
  @Test(arguments: [1600.0, 3200, 6400])
  func noiseAloneStays(iso: Double) throws {
    let frame = try Self.frame(iso: iso, areSomeHot: false)
    let plain = try Self.mosaic(frame, 0)
    let cleaned = try Self.mosaic(frame, 1)
    let changed = plain.indices.count { plain[$0] != cleaned[$0] }
    #expect(changed <= 20, "\(changed) of \(plain.count)")
  }

  /// Stars in noise keep their light.
  @Test func starsInNoiseStay() throws {
    let model = Self.profile(iso: 1600)[0]
    var generator = SeededGenerator(seed: 73)
    var stars = Array(repeating: 0.02, count: Self.width * Self.height)
    for y in stride(from: 10, to: Self.height - 10, by: 15) {
      for x in stride(from: 10, to: Self.width - 10, by: 15) {
        let dx = Double.random(in: 0..<2, using: &generator)
        let dy = Double.random(in: 0..<2, using: &generator)
        let peak = Double.random(in: 0.1..<0.6, using: &generator)
        for row in -5...5 {
          for column in -5...5 {
            let (u, v) = (Double(column) - dx, Double(row) - dy)
            stars[(y + row) * Self.width + x + column] +=
              peak * PortableMath.exp(-(u * u + v * v) / (2 * 0.7 * 0.7))
          }
        }
      }
    }
    let light = stars.reduce(0) { $0 + $1 - 0.02 }
    let frame = try TestFrame.frame(Self.description(iso: 1600)) { x, y in
      var sum = 0.0
      for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
      let value = stars[y * Self.width + x]
      let signal = value + (sum - 6) * model.deviation(at: value)
      return UInt16(min(max(Self.black + signal * (Self.white - Self.black), 0), Self.white))
    }
    let plain = try Self.mosaic(frame, 0)
    let cleaned = try Self.mosaic(frame, 1)
    let lost = plain.indices.reduce(0) { $0 + abs(plain[$1] - cleaned[$1]) }
    #expect(lost < 0.005 * light, "\(lost) of \(light)")
  }

  /// Nothing in little noise and wholly in much, as the demosaic does; never where a recipe measures.
  @Test func theDefaultFollowsTheNoise() throws {
    func amount(_ iso: Double, _ change: (inout DevelopAdjustments) -> Void = { _ in }) throws
      -> Double
    {
      var adjustments = DevelopAdjustments()
      change(&adjustments)
      return try DevelopSettings(resolving: adjustments, for: Self.description(iso: iso))
        .despeckleAmount
    }
    #expect(try amount(100) == 0 && amount(300) == 0)
    #expect(try amount(6400) == 1 && amount(3200) == 1)
    let middle = try [500, 700, 900, 1100].map { try amount($0) }
    #expect(middle == middle.sorted() && middle[0] > 0 && middle[3] < 1)
    #expect(try amount(6400) { $0 = .measuring } == 0)
    #expect(try amount(6400) { $0.decoderVersion = .one } == 0)
    #expect(try amount(6400) { $0.despeckleAmount = 0.25 } == 0.25)
    var linear = TestFrame.description(8, 8, layout: .linear(planes: 3))
    linear.noiseProfile = Self.profile(iso: 6400)
    let settings = try DevelopSettings(resolving: .init(), for: linear)
    #expect(settings.despeckleAmount == 0 && settings.unsupported.isEmpty)
  }
}
