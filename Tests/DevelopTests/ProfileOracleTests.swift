import ColorScience
import Develop
import FileSystem
import JSON
import RawModel
import Recipe
import TestSupport
import Testing

/// Profile stages against numpy, which has them from the specification's text.
@Suite(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
struct ProfileOracleTests {
  static let size = (width: 96, height: 64)

  /// Random colours, some grey, some on the gamut's edges, some dark.
  private static func codes(_ generator: inout SeededGenerator) -> [UInt16] {
    (0..<(size.width * size.height)).flatMap { pixel -> [UInt16] in
      let ceiling: UInt16 = pixel % 4 == 0 ? 4000 : 65535
      var color = (0..<3).map { _ in UInt16.random(in: 0...ceiling, using: &generator) }
      if pixel % 9 == 0 { color = [color[0], color[0], color[0]] }
      if pixel % 7 == 0 { color[Int.random(in: 0..<3, using: &generator)] = 0 }
      if pixel % 11 == 0 { color[1] = color[0] }
      return color
    }
  }

  /// The largest difference in linear light between a development and numpy's, beyond the half code
  /// that the output rounds by.
  private static func worst(
    _ steps: [JSONValue],
    seed: UInt64,
    adjustments: DevelopAdjustments = .linear,
    _ change: (inout RawDescription) -> Void
  ) throws -> Double {
    var generator = SeededGenerator(seed: seed)
    let codes = codes(&generator)
    var description = TestFrame.description(
      size.width,
      size.height,
      layout: .linear(planes: 3),
      color: CameraColor(
        // Camera values are linear RIMM.
        calibrations: [.init(illuminant: 23, colorMatrix: RGBSpace.romm.fromXYZ)],
        asShotWhite: .chromaticity(.d50)
      )
    )
    change(&description)
    let frame = try TestFrame.frame(description) { x, y in codes[y * 3 * size.width + x] }
    let result = try Development(frame, adjustments, depths: [.sixteen], lanes: 2)
    let folder = try TemporaryDirectory()
    let request: JSONValue = [
      "width": .init(size.width), "height": .init(size.height), "steps": .array(steps),
    ]
    let input = try folder.write(RawBytes.bytes(codes.map { Double($0) / 65535 }), to: "colors")
    let json = try folder.write(request.bytes(), to: "request.json")
    let output = folder.path("result")
    _ = try OraclePython.run(
      "profile_reference.py",
      arguments: ["\(json)", "\(input)", "\(output)"]
    )
    let expected = RawBytes.doubles(try output.readAll())
    let toOutput = RGBSpace.romm.matrix(to: .displayP3)
    var worst = 0.0
    for pixel in 0..<(size.width * size.height) {
      let color =
        toOutput
        * Vector3(
          expected[3 * pixel],
          expected[3 * pixel + 1],
          expected[3 * pixel + 2]
        )
      for channel in 0..<3 {
        let expected = min(max(color[channel], 0), 1)
        let code = Double(result.sixteen[3 * pixel + channel])
        let decode = TransferFunction.sRGB.decode
        let width = (decode((code + 1) / 65535) - decode(code / 65535)) / 2
        worst = max(worst, abs(decode(code / 65535) - expected) - width)
      }
    }
    return worst
  }

  private static func table(
    _ divisions: (Int, Int, Int),
    encoding: HueSatMap.Encoding,
    strength: Float = 1,
    _ generator: inout SeededGenerator
  ) -> HueSatMap {
    let count = divisions.0 * divisions.1 * divisions.2
    return HueSatMap(
      hueDivisions: divisions.0,
      saturationDivisions: divisions.1,
      valueDivisions: divisions.2,
      entries: (0..<count).map { index in
        // Entries of no saturation must not change value.
        let isGrey = index % divisions.1 == 0
        return HueSatMap.Entry(
          hueShift: strength * Float.random(in: -40...40, using: &generator),
          saturationScale: 1 + strength * Float.random(in: -0.4...0.5, using: &generator),
          valueScale: isGrey ? 1 : 1 + strength * Float.random(in: -0.3...0.3, using: &generator)
        )
      },
      encoding: encoding
    )
  }

  private static func step(_ map: HueSatMap, pin: Bool = true) -> JSONValue {
    [
      "kind": "hueSatMap", "pin": .bool(pin), "sRGB": .bool(map.encoding == .sRGB),
      "divisions": [
        .init(map.hueDivisions), .init(map.saturationDivisions), .init(map.valueDivisions),
      ],
      "entries": .array(
        map.entries.map {
          [
            .init(Double($0.hueShift)), .init(Double($0.saturationScale)),
            .init(Double($0.valueScale)),
          ]
        }
      ),
    ]
  }

  static let tables: [(Int, Int, Int, HueSatMap.Encoding)] = [
    (6, 2, 1, .linear), (90, 30, 1, .linear), (1, 8, 1, .linear), (36, 8, 16, .sRGB),
    (12, 5, 4, .linear), (2, 2, 2, .sRGB),
  ]

  @Test(arguments: tables)
  func hueSatMap(hue: Int, saturation: Int, value: Int, encoding: HueSatMap.Encoding) throws {
    let seed: UInt64 = 71
    var generator = SeededGenerator(seed: seed)
    let map = Self.table((hue, saturation, value), encoding: encoding, &generator)
    let worst = try Self.worst([Self.step(map)], seed: seed) {
      $0.profile.hueSatMaps = [map]
    }
    #expect(worst < 1e-5, "seed \(seed)")
  }

  /// The look table comes after exposure, the map before.
  @Test func lookTableComesAfterExposure() throws {
    let seed: UInt64 = 72
    var generator = SeededGenerator(seed: seed)
    // Random tables are steep; behind one another they would raise the rounding of 32-bit colours.
    let map = Self.table((20, 6, 1), encoding: .linear, strength: 0.3, &generator)
    let look = Self.table((36, 8, 12), encoding: .sRGB, strength: 0.3, &generator)
    var adjustments = DevelopAdjustments.linear
    adjustments.exposure = 0.5
    adjustments.baselineExposure = 0.25
    let gain: JSONValue = ["kind": "gain", "factor": .init(PortableMath.exp2(0.75))]
    let steps = [Self.step(map), gain, Self.step(look)]
    let worst = try Self.worst(steps, seed: seed, adjustments: adjustments) {
      $0.profile.hueSatMaps = [map]
      $0.profile.lookTable = look
    }
    #expect(worst < 1e-5, "seed \(seed)")
  }

  @Test func profileCurve() throws {
    let seed: UInt64 = 73
    let points: [(Float, Float)] = [
      (0, 0), (0.02, 0.01), (0.1, 0.14), (0.18, 0.38), (0.4, 0.66), (0.8, 0.95), (1, 1),
    ]
    let step: JSONValue = [
      "kind": "curve",
      "points": .array(points.map { [.init(Double($0.0)), .init(Double($0.1))] }),
    ]
    var adjustments = DevelopAdjustments.linear
    adjustments.boostAmount = 1
    let worst = try Self.worst([step], seed: seed, adjustments: adjustments) {
      $0.profile.toneCurve = ProfileToneCurve(points: points.map { .init(x: $0.0, y: $0.1) })
    }
    #expect(worst < 1e-5, "seed \(seed)")
  }

  struct Map: Sendable, CustomTestStringConvertible {
    var version = 1
    var points = (8, 11, 33)
    var gamma: Float = 1
    var amount = 1.0
    var baselineExposure = 0.0
    var origin = (0.0, 0.0)

    var testDescription: String {
      "version \(version) points \(points) gamma \(gamma) amount \(amount) EV \(baselineExposure)"
    }
  }

  static let maps: [Map] = [
    Map(), Map(baselineExposure: 0.8), Map(points: (1, 1, 257)), Map(points: (4, 1, 1)),
    Map(version: 2, gamma: 0.25), Map(version: 2, points: (5, 6, 64), gamma: 2.2),
    Map(version: 2, gamma: 4, baselineExposure: -0.5), Map(amount: 0.5), Map(amount: 0.1),
    Map(origin: (-0.1, 0.2)),
  ]

  @Test(arguments: maps)
  func gainTableMap(item: Map) throws {
    let seed: UInt64 = 74
    var generator = SeededGenerator(seed: seed)
    let (v, h, n) = item.points
    // No steeper than curves are: with n points, a step of 2 between neighbours would raise the rounding of
    // a 32-bit colour by 2 n.
    let range: ClosedRange<Float> = n > 64 ? 1...1.2 : 0.5...2.5
    let gains = (0..<(v * h * n)).map { _ in Float.random(in: range, using: &generator) }
    let weights: [5 of Float] = [0.1495, 0.2935, 0.057, 0.125, 0.375]
    let spacing = (1 / Double(max(v - 1, 1)), 1 / Double(max(h - 1, 1)))
    let map = ProfileGainTableMap(
      version: item.version,
      pointsV: v,
      pointsH: h,
      spacingV: spacing.0,
      spacingH: spacing.1,
      originV: item.origin.0,
      originH: item.origin.1,
      pointsN: n,
      inputWeights: weights,
      gamma: item.gamma,
      gains: gains
    )
    let step: JSONValue = [
      "kind": "gainTableMap", "points": [.init(v), .init(h), .init(n)],
      "spacing": [.init(spacing.0), .init(spacing.1)],
      "origin": [.init(item.origin.0), .init(item.origin.1)],
      "weights": .array((0..<5).map { .init(Double(weights[$0])) }),
      "gamma": .init(Double(item.gamma)), "amount": .init(item.amount),
      "baselineExposure": .init(item.baselineExposure),
      "gains": .array(gains.map { .init(Double($0)) }),
    ]
    let exposure = 0.4 - item.baselineExposure
    let gain: JSONValue = [
      "kind": "gain", "factor": .init(PortableMath.exp2(exposure + item.baselineExposure)),
    ]
    var adjustments = DevelopAdjustments.linear
    adjustments.exposure = exposure
    adjustments.baselineExposure = nil
    adjustments.localToneMapAmount = item.amount
    let worst = try Self.worst([step, gain], seed: seed, adjustments: adjustments) {
      $0.baselineExposure = item.baselineExposure
      $0.gainTableMap = map
    }
    #expect(worst < 1e-5, "seed \(seed)")
  }
}
