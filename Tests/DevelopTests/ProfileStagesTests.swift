import ColorScience
import Develop
import Diagnostics
import JSON
import RawModel
import Recipe
import Testing

@Suite struct ProfileStagesTests {
  private static func map(amountOf gain: Float = 2, version: Int = 1) -> ProfileGainTableMap {
    ProfileGainTableMap(
      version: version,
      pointsV: 2,
      pointsH: 2,
      spacingV: 1,
      spacingH: 1,
      originV: 0,
      originH: 0,
      pointsN: 2,
      inputWeights: [0.25, 0.5, 0.25, 0, 0],
      gains: [gain, 1, gain * 0.75, 1, gain, 1.25, gain, 1]
    )
  }

  private static func frame(
    _ change: (inout RawDescription) -> Void = { _ in }
  ) throws -> RawFrame {
    var description = TestFrame.description(
      60,
      44,
      layout: .mosaic(.rggb),
      color: TestFrame.nikon,
      white: 60000
    )
    change(&description)
    return try TestFrame.noise(description, seed: 9)
  }

  private static let identityMap = HueSatMap(
    hueDivisions: 6,
    saturationDivisions: 3,
    valueDivisions: 2,
    entries: Array(
      repeating: .init(hueShift: 0, saturationScale: 1, valueScale: 1),
      count: 36
    ),
    encoding: .sRGB
  )

  private static let strongMap = HueSatMap(
    hueDivisions: 3,
    saturationDivisions: 2,
    valueDivisions: 1,
    entries: [
      .init(hueShift: 0, saturationScale: 1, valueScale: 1),
      .init(hueShift: 20, saturationScale: 0.6, valueScale: 0.9),
      .init(hueShift: 0, saturationScale: 1, valueScale: 1),
      .init(hueShift: -20, saturationScale: 0.7, valueScale: 1.2),
      .init(hueShift: 0, saturationScale: 1, valueScale: 1),
      .init(hueShift: 5, saturationScale: 1.2, valueScale: 1),
    ]
  )

  @Test func tablesThatChangeNothingChangeNoBit() throws {
    let plain = try Development(try Self.frame(), DevelopAdjustments())
    let identical = try Development(
      try Self.frame {
        $0.profile.hueSatMaps = [Self.identityMap]
        $0.profile.lookTable = Self.identityMap
      },
      DevelopAdjustments()
    )
    #expect(identical == plain)
  }

  @Test func anAmountOfZeroIsNoLocalToneMap() throws {
    var adjustments = DevelopAdjustments()
    adjustments.localToneMapAmount = 0
    let without = try Development(try Self.frame(), adjustments)
    let mapped = try Self.frame { $0.gainTableMap = Self.map() }
    #expect(try Development(mapped, adjustments) == without)
    #expect(try Development(mapped, DevelopAdjustments()) != without)
  }

  /// Every step of the amount moves the picture one way, and a little.
  @Test func localToneMapIsMonotoneAndContinuousInItsAmount() throws {
    let mapped = try Self.frame { $0.gainTableMap = Self.map() }
    var last: [UInt16] = []
    for step in 0...20 {
      var adjustments = DevelopAdjustments.linear
      adjustments.localToneMapAmount = Double(step) / 20
      let result = try Development(mapped, adjustments, depths: [.sixteen]).sixteen
      for (now, before) in zip(result, last) {
        #expect(now >= before && Int(now) - Int(before) < 1600)
      }
      last = result
    }
  }

  /// 1 means the gains themselves, and is what a file with a map gets.
  @Test func theWholeMapIsTheDefault() throws {
    let mapped = try Self.frame { $0.gainTableMap = Self.map() }
    let settings = try DevelopSettings(
      resolving: DevelopAdjustments(),
      for: mapped.description
    )
    #expect(settings.localToneMapAmount == 1 && settings.unsupported.isEmpty)
    var adjustments = DevelopAdjustments()
    adjustments.localToneMapAmount = 1
    #expect(try Development(mapped, adjustments) == Development(mapped, DevelopAdjustments()))
  }

  @Test func aProfilesOwnMapComesFirst() throws {
    let one = try Self.frame { $0.gainTableMap = Self.map(amountOf: 1.5) }
    let both = try Self.frame {
      $0.gainTableMap = Self.map(amountOf: 3)
      $0.profile.gainTableMap = Self.map(amountOf: 1.5, version: 2)
    }
    #expect(try Development(both, .linear) == Development(one, .linear))
  }

  @Test func aMapThatTheFileDoesNotHaveIsReported() throws {
    var adjustments = DevelopAdjustments()
    adjustments.localToneMapAmount = 0.5
    let settings = try DevelopSettings(
      resolving: adjustments,
      for: try Self.frame().description
    )
    #expect(settings.localToneMapAmount == 0)
    #expect(settings.unsupported == ["localToneMapAmount: the file has no ProfileGainTableMap"])
    let listed = settings.resolved.first { $0.name == "unsupported" }
    #expect(listed?.value == ["localToneMapAmount: the file has no ProfileGainTableMap"])
    adjustments.localToneMapAmount = 0
    let off = try DevelopSettings(resolving: adjustments, for: try Self.frame().description)
    #expect(off.unsupported.isEmpty)
  }

  @Test func tablesWithMasksAreReported() throws {
    let table = RGBTable(
      semanticName: "Sky",
      divisions: 2,
      gamma: .sRGB,
      primaries: .sRGB,
      gamutExtension: .clip,
      samples: Array(repeating: 0, count: 24)
    )
    let frame = try Self.frame {
      $0.profile.rgbTables = RGBTables(composition: .weightedSum, tables: [table])
      $0.profile.dynamicRange = .high
    }
    let settings = try DevelopSettings(resolving: DevelopAdjustments(), for: frame.description)
    #expect(
      settings.unsupported == [
        "RGBTables: the table for the mask Sky",
        "ProfileDynamicRange: high, rendered for standard range",
      ]
    )
  }

  /// A cube of a function of colours, as the tag orders it.
  private static func rgbTable(
    _ primaries: RGBTable.Primaries,
    _ gamma: RGBTable.Gamma,
    _ extension: RGBTable.GamutExtension,
    _ function: (SIMD3<Float>) -> SIMD3<Float>
  ) -> RGBTables {
    var samples: [Float] = []
    for r in 0..<5 {
      for g in 0..<5 {
        for b in 0..<5 {
          let color = function(SIMD3(Float(r), Float(g), Float(b)) / 4)
          samples += [color.x, color.y, color.z]
        }
      }
    }
    let table = RGBTable(
      semanticName: "",
      divisions: 5,
      gamma: gamma,
      primaries: primaries,
      gamutExtension: `extension`,
      samples: samples
    )
    return RGBTables(composition: .weightedSum, tables: [table])
  }

  static let spaces: [(RGBTable.Primaries, RGBTable.Gamma)] = [
    (.proPhoto, .linear), (.proPhoto, .gamma18), (.rec2020, .rec2020), (.displayP3, .sRGB),
    (.adobeRGB, .gamma22), (.sRGB, .sRGB),
  ]

  /// A table that maps every colour to itself changes none, also outside its own gamut.
  @Test(arguments: spaces)
  func anIdenticalColorTable(primaries: RGBTable.Primaries, gamma: RGBTable.Gamma) throws {
    let plain = try Development(try Self.frame(), .linear, depths: [.sixteen])
    let mapped = try Development(
      try Self.frame { $0.profile.rgbTables = Self.rgbTable(primaries, gamma, .extend) { $0 } },
      .linear,
      depths: [.sixteen]
    )
    for (one, other) in zip(plain.sixteen, mapped.sixteen) {
      #expect(abs(Int(one) - Int(other)) < 8)
    }
  }

  /// Display P3 with the sRGB curve is what the output is encoded in.
  @Test func aColorTableActsOnItsOwnSpace() throws {
    let plain = try Development(try Self.frame(), .linear, depths: [.sixteen])
    let mapped = try Development(
      try Self.frame {
        $0.profile.rgbTables = Self.rgbTable(.displayP3, .sRGB, .clip) {
          SIMD3($0.z, 1 - $0.x, $0.y / 2)
        }
      },
      .linear,
      depths: [.sixteen]
    )
    for pixel in 0..<(60 * 44) {
      let color = (0..<3).map { Int(plain.sixteen[3 * pixel + $0]) }
      let expected = [color[2], 65535 - color[0], color[1] / 2]
      for channel in 0..<3 {
        #expect(abs(expected[channel] - Int(mapped.sixteen[3 * pixel + channel])) < 8)
      }
    }
  }

  @Test func theFirstVersionKnowsNoProfiles() throws {
    var adjustments = DevelopAdjustments()
    adjustments.decoderVersion = .one
    let plain = try Development(try Self.frame(), adjustments)
    let profiled = try Self.frame {
      $0.profile.hueSatMaps = [Self.strongMap]
      $0.profile.lookTable = Self.strongMap
      $0.profile.toneCurve = ProfileToneCurve(points: [.init(x: 0, y: 0), .init(x: 1, y: 1)])
      $0.gainTableMap = Self.map()
    }
    #expect(try Development(profiled, adjustments) == plain)
    #expect(try Development(profiled, DevelopAdjustments()) != plain)
  }

  @Test func exposureIsTheSameOnItsOwnAndInTheMatrix() throws {
    var adjustments = DevelopAdjustments.linear
    adjustments.exposure = 0.6
    let plain = try Development(try Self.frame(), adjustments, depths: [.sixteen])
    let apart = try Development(
      try Self.frame {
        var map = Self.map()
        map.gains = Array(repeating: 1, count: 8)
        $0.gainTableMap = map
      },
      adjustments,
      depths: [.sixteen]
    )
    for (one, other) in zip(plain.sixteen, apart.sixteen) {
      #expect(abs(Int(one) - Int(other)) < 2)
    }
  }

  /// The curve of a profile that is a straight line is no curve, up to rounding.
  @Test func aStraightCurveIsNone() throws {
    // Display P3 lies within linear RIMM, so that nothing is cut off before the curve.
    var description = TestFrame.description(60, 44, layout: .linear(planes: 3))
    let linear = try Development(
      try TestFrame.noise(description, seed: 8),
      .linear,
      depths: [.sixteen]
    )
    var adjustments = DevelopAdjustments.linear
    adjustments.boostAmount = 1
    description.profile.toneCurve = ProfileToneCurve(
      points: [.init(x: 0, y: 0), .init(x: 1, y: 1)]
    )
    let curved = try Development(
      try TestFrame.noise(description, seed: 8),
      adjustments,
      depths: [.sixteen]
    )
    for (one, other) in zip(linear.sixteen, curved.sixteen) {
      #expect(abs(Int(one) - Int(other)) < 2)
    }
  }

  @Test(arguments: [0.0, 1.0, 2.0])
  func curvesOfProfilesStayMonotone(shadows: Double) throws {
    let description = TestFrame.description(4096, 4, layout: .linear(planes: 1))
    var curved = description
    curved.profile.toneCurve = ProfileToneCurve(
      points: [(0, 0), (0.05, 0.02), (0.2, 0.4), (0.6, 0.85), (1, 1)].map {
        .init(x: Float($0.0), y: Float($0.1))
      }
    )
    let frame = try TestFrame.frame(curved) { x, y in UInt16((y * 4096 + x) * 4) }
    var adjustments = DevelopAdjustments.linear
    adjustments.boostAmount = 1
    adjustments.boostShadowAmount = shadows
    let result = try Development(frame, adjustments, depths: [.sixteen])
    var last = -1
    for index in 0..<16384 {
      let value = Int(result.sixteen[3 * index])
      #expect(value >= last)
      last = value
    }
  }

  @Test func unusableTables() throws {
    func error(_ change: (inout RawDescription) -> Void) throws -> DevelopError? {
      let frame = try Self.frame(change)
      do {
        _ = try Development(frame, DevelopAdjustments())
        return nil
      } catch let error as DevelopError {
        return error
      }
    }
    var short = Self.strongMap
    short.entries.removeLast()
    var infinite = Self.strongMap
    infinite.entries[1].hueShift = .infinity
    var flat = Self.strongMap
    flat.saturationDivisions = 1
    for (map, reason) in [
      (short, "has 5 entries for the divisions [3, 2, 1]"),
      (infinite, "has an entry that is negative or not finite"),
      (flat, "has the divisions [3, 1, 1]"),
    ] {
      let expected = DevelopError.profileUnusable(tag: "ProfileHueSatMapData", reason: reason)
      #expect(try error { $0.profile.hueSatMaps = [map] } == expected)
    }
    for points in [[(0.0, 0.0)], [(0, 0), (0, 1)], [(0, .nan), (1, 1)]] as [[(Double, Double)]] {
      let found = try error {
        $0.profile.toneCurve = ProfileToneCurve(
          points: points.map { .init(x: Float($0.0), y: Float($0.1)) }
        )
      }
      #expect(found?.code == "profileUnusable")
    }
    for change in [
      { $0.gains.removeLast() }, { $0.gains[0] = -1 }, { $0.spacingV = 0 }, { $0.gamma = 5 },
      { $0.pointsN = Int.max },
    ] as [(inout ProfileGainTableMap) -> Void] {
      var map = Self.map()
      change(&map)
      #expect(try error { $0.gainTableMap = map }?.code == "profileUnusable")
    }
  }

  /// At the white of one of three lights the picture is that of its matrix alone.
  @Test(arguments: 0..<3)
  func threeCalibrations(number: Int) throws {
    let base = TestFrame.nikon.calibrations[0].colorMatrix
    let lights = [17, 23, 22]
    let calibrations = lights.enumerated().map { index, light in
      let scale = Vector3(1 + 0.05 * Double(index), 1, 1 - 0.04 * Double(index))
      return CameraColor.Calibration(
        illuminant: light,
        colorMatrix: Matrix3(diagonal: scale) * base
      )
    }
    let white = try #require(Illuminant(rawValue: lights[number]).chromaticity)
    func develop(_ calibrations: [CameraColor.Calibration]) throws -> Development {
      try Development(
        try Self.frame {
          $0.color = CameraColor(calibrations: calibrations, asShotWhite: .chromaticity(white))
        },
        .linear,
        depths: [.sixteen]
      )
    }
    #expect(try develop(calibrations) == develop([calibrations[number]]))
  }

  @Test func aLightMayBeGivenByItsData() throws {
    // The code of D65 stands for 6500 K.
    let d65 = ColorTemperature(kelvin: 6500, tint: 10).chromaticity
    var given = TestFrame.nikon.calibrations
    given.append(given[0])
    given[1].illuminant = 17
    given[1].colorMatrix = Matrix3(diagonal: Vector3(0.9, 1, 1.1)) * given[1].colorMatrix
    func develop(_ calibrations: [CameraColor.Calibration]) throws -> Development {
      try Development(
        try Self.frame {
          $0.color = CameraColor(
            calibrations: calibrations,
            asShotWhite: .chromaticity(Chromaticity(x: 0.36, y: 0.365))
          )
        },
        .linear,
        depths: [.sixteen]
      )
    }
    let named = try develop(given)
    given[0].illuminant = 255
    given[0].illuminantData = .chromaticity(d65)
    let data = try develop(given)
    for (one, other) in zip(named.sixteen, data.sixteen) {
      #expect(abs(Int(one) - Int(other)) < 3)
    }
    given[0].illuminantData = nil
    #expect(try develop(given) != named)
  }
}
