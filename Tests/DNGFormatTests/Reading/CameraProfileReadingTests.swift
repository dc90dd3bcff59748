internal import DNGFormat
internal import Diagnostics
internal import RawModel
internal import TIFFContainer
import Testing

@Suite("Tables of the camera profile")
struct CameraProfileReadingTests {
  private static func describe(
    bigEndian: Bool = false,
    _ adjust: (inout IFDBuilder) -> Void
  ) throws -> RawDescription {
    var dng = HandmadeDNG()
    dng.byteOrder = bigEndian ? .bigEndian : .littleEndian
    adjust(&dng.main)
    return try DNGReader.describe(dng.bytes())
  }

  private static func failure(_ adjust: (inout IFDBuilder) -> Void) -> ErrorCode? {
    do {
      _ = try describe(adjust)
      return nil
    } catch {
      return (error as? any Diagnosable)?.code
    }
  }

  private static let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].map { TIFFSignedRational($0, 1) }

  @Test("A file without profile tags has the defaults")
  func defaults() throws {
    let description = try Self.describe { _ in }
    #expect(description.profile == CameraProfile())
    #expect(description.gainTableMap == nil)
  }

  @Test("Names, policies and offsets")
  func names() throws {
    let profile = try Self.describe {
      $0.set(.profileName, ascii: "Portrait")
      $0.set(.profileCopyright, ascii: "nobody")
      $0.set(.profileGroupName, ascii: "People")
      $0.set(.profileEmbedPolicy, long: 2)
      $0.set(.profileCalibrationSignature, ascii: "sig")
      $0.set(.baselineExposureOffset, signedRationals: [TIFFSignedRational(-1, 4)])
      $0.set(.defaultBlackRender, long: 1)
      $0.set(.profileDynamicRange, undefined: [1, 0, 1, 0, 0, 0, 0, 0])
    }.profile
    #expect(
      profile
        == CameraProfile(
          name: "Portrait",
          copyright: "nobody",
          groupName: "People",
          embedPolicy: .embedNever,
          calibrationSignature: "sig",
          baselineExposureOffset: -0.25,
          isDefaultBlackNone: true,
          dynamicRange: .high
        )
    )
  }

  @Test("A map for each calibration, a look table and a curve")
  func tables() throws {
    let entries = (0..<12).map { Float($0) / 4 }
    let profile = try Self.describe {
      $0.set(.calibrationIlluminant1, short: 17)
      $0.set(.colorMatrix2, signedRationals: Self.matrix)
      $0.set(.calibrationIlluminant2, short: 21)
      $0.set(.profileHueSatMapDims, longs: [2, 2, 1])
      $0.set(.profileHueSatMapData1, floats: entries)
      $0.set(.profileHueSatMapData2, floats: entries.reversed())
      $0.set(.profileHueSatMapEncoding, long: 1)
      $0.set(.profileLookTableDims, longs: [1, 2, 2])
      $0.set(.profileLookTableData, floats: entries)
      $0.set(.profileToneCurve, floats: [0, 0, 0.5, 0.75, 1, 1])
    }.profile
    try #require(profile.hueSatMaps.count == 2)
    let map = profile.hueSatMaps[0]
    #expect(map.hueDivisions == 2 && map.saturationDivisions == 2 && map.valueDivisions == 1)
    #expect(map.encoding == .sRGB)
    #expect(
      map.entries[1]
        == HueSatMap.Entry(hueShift: 0.75, saturationScale: 1, valueScale: 1.25)
    )
    #expect(profile.hueSatMaps[1].entries[0].hueShift == 2.75)
    #expect(profile.lookTable?.valueDivisions == 2 && profile.lookTable?.encoding == .linear)
    #expect(profile.toneCurve?.points.map(\.y) == [0, 0.75, 1])
  }

  /// A map of 1x2 points with 2 gains each.
  private static func gainTableMap(
    _ order: TIFFByteOrder,
    version: Int = 1,
    coding: (UInt32, [UInt8]) = (3, [])
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    func put(_ value: UInt64, _ count: Int) {
      let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
      bytes += order == .bigEndian ? big : big.reversed()
    }
    put(1, 4)
    put(2, 4)
    for value in [1, 0.5, 0.25, 0.125] { put(value.bitPattern, 8) }
    put(2, 4)
    for value: Float in [0.1, 0.2, 0.3, 0.15, 0.25] { put(UInt64(value.bitPattern), 4) }
    if version == 2 {
      put(UInt64(coding.0), 4)
      for value: Float in [2, 1, 3] { put(UInt64(value.bitPattern), 4) }
      return bytes + coding.1
    }
    for value: Float in [1, 2, 3, 4] { put(UInt64(value.bitPattern), 4) }
    return bytes
  }

  @Test("A gain table map in the file's byte order", arguments: [false, true])
  func gainTableMap(bigEndian: Bool) throws {
    let bytes = Self.gainTableMap(bigEndian ? .bigEndian : .littleEndian)
    let description = try Self.describe(bigEndian: bigEndian) {
      $0.set(.profileGainTableMap, undefined: bytes)
    }
    #expect(
      description.gainTableMap
        == ProfileGainTableMap(
          version: 1,
          pointsV: 1,
          pointsH: 2,
          spacingV: 1,
          spacingH: 0.5,
          originV: 0.25,
          originH: 0.125,
          pointsN: 2,
          inputWeights: [0.1, 0.2, 0.3, 0.15, 0.25],
          gains: [1, 2, 3, 4]
        )
    )
    #expect(description.profile.gainTableMap == nil && description.warnings.isEmpty)
    let longer = try Self.describe(bigEndian: bigEndian) {
      $0.set(.profileGainTableMap, undefined: bytes + [0, 0])
    }
    #expect(longer.gainTableMap == description.gainTableMap && longer.warnings.count == 1)
    for count in 0..<bytes.count {
      #expect(throws: DNGReadError.self) {
        try Self.describe(bigEndian: bigEndian) {
          $0.set(.profileGainTableMap, undefined: Array(bytes.prefix(count)))
        }
      }
    }
  }

  @Test("The second version's gains of each type")
  func gainTableMap2() throws {
    let codings: [(UInt32, [UInt8], [Float])] = [
      (0, [0, 51, 102, 255], [1, 1.4, 1.8, 3]),
      (1, [0, 0, 0x33, 0x33, 0x66, 0x66, 255, 255], [1, 1.4, 1.8, 3]),
      // Halves 1, 1.5, 2, 0.5 in little-endian order.
      (2, [0, 0x3C, 0, 0x3E, 0, 0x40, 0, 0x38], [1, 1.5, 2, 0.5]),
      (
        3,
        [1, 1.5, 2, 0.5].flatMap { (value: Float) in
          (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        }, [1, 1.5, 2, 0.5]
      ),
    ]
    for (type, data, gains) in codings {
      let map = try Self.describe {
        $0.set(
          .profileGainTableMap2,
          undefined: Self.gainTableMap(.littleEndian, version: 2, coding: (type, data))
        )
      }.profile.gainTableMap
      #expect(map?.version == 2 && map?.gamma == 2)
      #expect(map?.gains.count == 4)
      for (found, expected) in zip(map?.gains ?? [], gains) {
        #expect(abs(found - expected) < 1e-6, "type \(type)")
      }
    }
  }

  @Test("Colour tables")
  func rgbTables() throws {
    let cube = (0..<24).map { UInt8($0 * 10) }
    let table: [UInt8] = [3, 0] + Array("sky".utf8) + [2, 0, 1, 2, 1] + cube
    let background: [UInt8] = [0, 0, 2, 0, 0, 4, 0] + cube
    let tables = try Self.describe {
      $0.set(.rgbTables, undefined: [2, 0, 0, 0, 1, 0, 0, 0] + table + background)
    }.profile.rgbTables
    #expect(tables?.composition == .sequential)
    #expect(tables?.tables.map(\.semanticName) == ["sky", ""])
    #expect(tables?.tables[0].gamma == .sRGB && tables?.tables[0].primaries == .displayP3)
    #expect(tables?.tables[0].gamutExtension == .extend)
    #expect(tables?.tables[1].samples[23] == Float(230) / 255)
    #expect(
      try Self.describe { $0.set(.rgbTables, undefined: [0, 0, 0, 0, 0, 0, 0, 0]) }.profile
        .rgbTables == nil
    )
    #expect(
      Self.failure {
        $0.set(.rgbTables, undefined: [2, 0, 0, 0, 1, 0, 0, 0] + background + background)
      } == "profileTableDamaged"
    )
  }

  private static let faults: [(String, @Sendable (inout IFDBuilder) -> Void)] = [
    ("saturation of 1", { $0.set(.profileHueSatMapDims, longs: [2, 1, 1]) }),
    ("no hue", { $0.set(.profileHueSatMapDims, longs: [0, 2, 1]) }),
    ("too many", { $0.set(.profileHueSatMapDims, longs: [100_000, 100_000, 100_000]) }),
    ("more than fit", { $0.set(.profileHueSatMapDims, longs: [.max, .max, .max]) }),
    (
      "values short",
      {
        $0.set(.profileHueSatMapDims, longs: [2, 2, 1])
        $0.set(.profileHueSatMapData1, floats: [1, 2, 3])
      }
    ),
    (
      "negative scale",
      {
        $0.set(.profileHueSatMapDims, longs: [1, 2, 1])
        $0.set(.profileHueSatMapData1, floats: [0, 1, 1, 0, -1, 1])
      }
    ),
    ("curve of halves", { $0.set(.profileToneCurve, floats: [0, 0, 0.5, 0.5, 1]) }),
    ("curve back", { $0.set(.profileToneCurve, floats: [0, 0, 0.5, 0.5, 0.5, 0.6, 1, 1]) }),
    ("curve outside", { $0.set(.profileToneCurve, floats: [0, 0, 1, 1.5]) }),
    ("curve short", { $0.set(.profileToneCurve, floats: [0, 0, 0.9, 1]) }),
    (
      "gains without end",
      {
        var map = gainTableMap(.littleEndian)
        map[3] = 1
        $0.set(.profileGainTableMap, undefined: map)
      }
    ),
    (
      "no points",
      {
        var map = gainTableMap(.littleEndian)
        map[0] = 0
        $0.set(.profileGainTableMap, undefined: map)
      }
    ),
    (
      "unknown type",
      {
        $0.set(
          .profileGainTableMap2,
          undefined: gainTableMap(.littleEndian, version: 2, coding: (4, [0, 0, 0, 0]))
        )
      }
    ),
    ("tables over twenty", { $0.set(.rgbTables, undefined: [21, 0, 0, 0, 0, 0, 0, 0]) }),
    ("composition", { $0.set(.rgbTables, undefined: [1, 0, 0, 0, 2, 0, 0, 0]) }),
    ("name long", { $0.set(.rgbTables, undefined: [1, 0, 0, 0, 0, 0, 0, 0, 255, 255]) }),
    ("dynamic range", { $0.set(.profileDynamicRange, undefined: [1, 0, 2, 0, 0, 0, 0, 0]) }),
  ]

  @Test("Tables that can't be are refused by name", arguments: faults.indices)
  func refuses(index: Int) {
    let (name, change) = Self.faults[index]
    #expect(Self.failure(change) == "profileTableDamaged", "\(name)")
  }
}
