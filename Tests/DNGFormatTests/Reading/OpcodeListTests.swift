internal import DNGFormat
internal import Raster
internal import RawModel
internal import TIFFContainer
import Testing

@Suite("Opcode lists")
struct OpcodeListTests {
  private typealias Fill = @Sendable (inout OpcodeBytes) -> Void
  private typealias Case = (id: Int, fill: Fill, operation: Opcode.Operation)
  private typealias Refused = (id: Int, fault: OpcodeFault, fill: Fill)

  private static let center = OpticalCenter(x: 0.5, y: 0.25)
  private static let area = OpcodeArea(
    top: 1,
    left: 2,
    bottom: 6,
    right: 8,
    plane: 0,
    planes: 1,
    rowPitch: 2,
    columnPitch: 3
  )
  private static func fillArea(_ p: inout OpcodeBytes) { p.word(1, 2, 6, 8, 0, 1, 2, 3) }

  /// Each opcode as stored and as read; five rows with a pitch of 2 are three, six columns with a pitch
  /// of 3 two.
  private static let table: [Case] = [
    (
      1,
      {
        $0.word(2)
        $0.double(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0.5, 0.25)
      },
      .warpRectilinear(
        WarpRectilinear(
          sets: [
            .init(radial: [1, 2, 3, 4], tangential: [5, 6]),
            .init(radial: [7, 8, 9, 10], tangential: [11, 12]),
          ],
          center: center
        )
      )
    ),
    (
      2,
      {
        $0.word(1)
        $0.double(1, 2, 3, 4, 0.5, 0.25)
      }, .warpFisheye(WarpFisheye(sets: [[1, 2, 3, 4]], center: center))
    ),
    (
      3, { $0.double(1, 2, 3, 4, 5, 0.5, 0.25) },
      .fixVignetteRadial(FixVignetteRadial(coefficients: [1, 2, 3, 4, 5], center: center))
    ),
    (
      4, { $0.word(4095, 2) },
      .fixBadPixelsConstant(FixBadPixelsConstant(constant: 4095, bayerPhase: 2))
    ),
    (
      5, { $0.word(1, 2, 1, 10, 11, 12, 13, 1, 2, 4, 6) },
      .fixBadPixelsList(
        FixBadPixelsList(
          bayerPhase: 1,
          points: [.init(row: 10, column: 11), .init(row: 12, column: 13)],
          rectangles: [Region(left: 2, top: 1, width: 4, height: 3)]
        )
      )
    ),
    (
      6, { $0.word(1, 2, 5, 7) },
      .trimBounds(Region(left: 2, top: 1, width: 5, height: 4))
    ),
    (
      7,
      {
        fillArea(&$0)
        $0.word(3)
        $0.short(0, 500, 65535)
      }, .mapTable(MapTable(area: area, table: [0, 500, 65535]))
    ),
    (
      8,
      {
        fillArea(&$0)
        $0.word(2)
        $0.double(0.5, 1, -2)
      }, .mapPolynomial(MapPolynomial(area: area, coefficients: [0.5, 1, -2]))
    ),
    (
      9,
      {
        fillArea(&$0)
        $0.word(2, 1)
        $0.double(0.5, 0, 0.25, 0.125)
        $0.word(2)
        $0.float(1, 2, 3, 4)
      },
      .gainMap(
        GainMap(
          area: area,
          pointsV: 2,
          pointsH: 1,
          spacingV: 0.5,
          spacingH: 0,
          originV: 0.25,
          originH: 0.125,
          mapPlanes: 2,
          gains: [1, 2, 3, 4]
        )
      )
    ),
    (10, { lines(&$0, 3) }, .deltaPerRow(LineValues(area: area, values: [0, -1, -2]))),
    (11, { lines(&$0, 2) }, .deltaPerColumn(LineValues(area: area, values: [0, -1]))),
    (12, { lines(&$0, 3) }, .scalePerRow(LineValues(area: area, values: [0, -1, -2]))),
    (13, { lines(&$0, 2) }, .scalePerColumn(LineValues(area: area, values: [0, -1]))),
    (
      14,
      {
        $0.word(1)
        $0.doubles((1...17).map(Double.init))
        $0.double(0, 1.5, 0.5, 0.25)
        $0.word(1)
      },
      .warpRectilinear2(
        WarpRectilinear2(
          sets: [
            .init(
              radial: (1...15).map(Double.init),
              tangential: [16, 17],
              validRadius: 0...1.5
            )
          ],
          center: center,
          isReciprocal: true
        )
      )
    ),
    (99, { $0.short(1) }, .unknown(id: 99)),
  ]

  private static func lines(_ p: inout OpcodeBytes, _ count: Int) {
    fillArea(&p)
    p.word(count)
    for index in 0..<count { p.float(-Float(index)) }
  }

  @Test("All fourteen opcodes are read, and written again byte for byte", arguments: table.indices)
  func readsAndWrites(index: Int) throws {
    let (id, fill, operation) = Self.table[index]
    let list = OpcodeBytes.list([OpcodeBytes.opcode(id, flags: 7, fill)])
    let opcodes = try Self.read(list)
    #expect(opcodes.map(\.operation) == [operation])
    #expect(opcodes.map(\.id) == [id])
    #expect(opcodes[0].isOptional && opcodes[0].isSkippedForPreview && opcodes[0].flags == 7)
    #expect(OpcodeListBytes.serialize(opcodes) == list)
    // No shorter and no longer list is the same.
    for count in 1..<list.count {
      #expect(throws: DNGReadError.self) { try Self.read(Array(list.prefix(count))) }
    }
    #expect(throws: DNGReadError.self) { try Self.read(list + [0]) }
    guard id <= 14 else { return }
    // One byte of parameters more or less is a fault of the opcode, named with its place.
    var longer = OpcodeBytes.list([
      OpcodeBytes.opcode(4) { $0.word(0, 0) },
      OpcodeBytes.opcode(id) {
        fill(&$0)
        $0.bytes.append(0)
      },
    ])
    #expect(Self.fault(longer)?.index == 1)
    #expect(Self.fault(longer)?.id == id)
    longer = OpcodeBytes.list([
      OpcodeBytes.opcode(id) {
        fill(&$0)
        $0.bytes.removeLast()
      }
    ])
    #expect(Self.fault(longer)?.index == 0)
  }

  /// Parameters that can't be, with what is wrong.
  private static let faults: [Refused] = [
    (
      1, .outOfRange("number of coefficient sets", value: 5, valid: 1...4),
      { $0.word(5) }
    ),
    (
      3, .notFinite("the coefficients"), { $0.double(1, 2, .nan, 4, 5, 0.5, 0.5) }
    ),
    (
      3, .invalid("centre", value: 1.5, expected: "0 to 1"),
      { $0.double(1, 2, 3, 4, 5, 0.5, 1.5) }
    ),
    (4, .outOfRange("Bayer phase", value: 4, valid: 0...3), { $0.word(1, 4) }),
    (
      5, .byteCount(found: 12, expected: 12 + 8 * 0xFFFF_FFFF + 16 * 0xFFFF_FFFF),
      { $0.word(0, 0xFFFF_FFFF, 0xFFFF_FFFF) }
    ),
    (5, .emptyRectangle, { $0.word(0, 0, 1, 4, 4, 4, 9) }),
    (6, .emptyRectangle, { $0.word(1, 2, 5, 2) }),
    (
      6, .outOfRange("top", value: 0xFFFF_FFFF, valid: 0...Int(Int32.max)),
      { $0.word(-1, 2, 5, 3) }
    ),
    (7, .emptyArea, { $0.word(0, 0, 0, 0, 0, 1, 2, 1, 1, 0) }),
    (
      7, .outOfRange("row pitch", value: 0, valid: 1...Int(UInt32.max)),
      { $0.word(0, 0, 1, 1, 0, 1, 0, 1, 1, 0) }
    ),
    (
      7, .outOfRange("number of planes", value: 0, valid: 1...Int(UInt32.max)),
      { $0.word(0, 0, 1, 1, 0, 0, 1, 1, 1, 0) }
    ),
    (
      7, .outOfRange("number of entries", value: 65_537, valid: 1...65_536),
      {
        fillArea(&$0)
        $0.word(65_537)
      }
    ),
    (
      8, .outOfRange("degree", value: 9, valid: 0...8),
      {
        fillArea(&$0)
        $0.word(9)
      }
    ),
    (
      9, .byteCount(found: 76, expected: .max),
      {
        fillArea(&$0)
        $0.word(0xFFFF_FFFF, 0xFFFF_FFFF)
        $0.double(1, 1, 0, 0)
        $0.word(0xFFFF_FFFF)
      }
    ),
    (
      9, .invalid("spacing", value: 0, expected: "above 0"),
      {
        fillArea(&$0)
        $0.word(2, 1)
        $0.double(0, 1, 0, 0)
        $0.word(1)
        $0.float(1, 1)
      }
    ),
    (
      9, .invalid("gain", value: -1, expected: "0 or more"),
      {
        fillArea(&$0)
        $0.word(1, 1)
        $0.double(0, 1, 0, 0)
        $0.word(1)
        $0.float(-1)
      }
    ),
    (10, .valueCount(found: 2, lines: 3), { lines(&$0, 2) }),
    (13, .valueCount(found: 3, lines: 2), { lines(&$0, 3) }),
    (
      12, .valueCount(found: 0, lines: 0), { $0.word(0, 0, 0, 0, 0, 1, 1, 1, 0) }
    ),
    (
      14, .invalid("largest valid radius", value: 1, expected: "above 1.0"),
      {
        $0.word(1)
        $0.doubles((1...17).map(Double.init))
        $0.double(1, 1, 0.5, 0.25)
        $0.word(1)
      }
    ),
  ]

  @Test("Parameters that can't be are refused by name", arguments: faults.indices)
  func refuses(index: Int) throws {
    let (id, expected, fill) = Self.faults[index]
    let found = Self.fault(OpcodeBytes.list([OpcodeBytes.opcode(id, fill)]))
    #expect(found?.id == id)
    #expect(found?.fault == expected)
  }

  @Test("An unknown opcode that must be applied, or a newer one, is unsupported by name")
  func unknown() throws {
    let optional = OpcodeBytes.list([OpcodeBytes.opcode(99, flags: 1) { $0.word(1) }])
    #expect(try Self.read(optional)[0].operation == .unknown(id: 99))
    var dng = HandmadeDNG()
    dng.main.set(
      .opcodeList3,
      undefined: OpcodeBytes.list([OpcodeBytes.opcode(99) { $0.word(1) }])
    )
    let unsupported = DNGUnsupportedFeature.opcode(list: 3, id: 99, version: DNGVersion(1, 3))
    #expect(try DNGReader.inspect(dng.bytes()).unsupported == unsupported)
    #expect(throws: DNGReadError.unsupported(unsupported)) {
      try DNGReader.describe(dng.bytes())
    }
    // A GainMap of a version after 1.7.1 may mean anything.
    dng.main.set(
      .opcodeList3,
      undefined: OpcodeBytes.list([OpcodeBytes.opcode(9, version: 0x0108_0000) { $0.word(1) }])
    )
    #expect(throws: DNGReadError.self) { try DNGReader.describe(dng.bytes()) }
    dng.main.set(
      .opcodeList3,
      undefined: OpcodeBytes.list([
        OpcodeBytes.opcode(9, version: 0x0108_0000, flags: 1) { $0.word(1) }
      ])
    )
    #expect(try DNGReader.describe(dng.bytes()).opcodeList3[0].operation == .unknown(id: 9))
  }

  /// The opcodes of list 2 with these bytes.
  private static func read(_ list: [UInt8]) throws -> [Opcode] {
    var dng = HandmadeDNG()
    dng.main.set(.opcodeList2, undefined: list)
    return try DNGReader.inspect(dng.bytes()).opcodeList2
  }

  private static func fault(
    _ list: [UInt8]
  ) -> (index: Int, id: Int, fault: OpcodeFault)? {
    do {
      _ = try read(list)
      return nil
    } catch DNGReadError.opcode(let site, let index, let id, let fault) {
      return site.tag == .opcodeList2 ? (index, id, fault) : nil
    } catch {
      return nil
    }
  }
}
