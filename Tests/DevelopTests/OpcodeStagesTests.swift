import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

/// The opcodes on single samples in all three lists, against their naive twin.
@Suite struct OpcodeStagesTests {
  private static let width = 37
  private static let height = 23

  /// Random opcodes of one kind with random areas, pitches and planes.
  private static func operation(
    _ kind: Int,
    white: Double,
    planes: Int,
    _ generator: inout SeededGenerator
  ) -> Opcode.Operation {
    let top = Int.random(in: 0..<8, using: &generator)
    let left = Int.random(in: 0..<12, using: &generator)
    let plane = Int.random(in: 0..<planes, using: &generator)
    let area = OpcodeArea(
      top: top,
      left: left,
      bottom: Int.random(in: (top + 1)...40, using: &generator),
      right: Int.random(in: (left + 1)...60, using: &generator),
      plane: plane,
      planes: Int.random(in: 1...3, using: &generator),
      rowPitch: Int.random(in: 1...4, using: &generator),
      columnPitch: Int.random(in: 1...4, using: &generator)
    )
    func values(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
      (0..<count).map { _ in Float.random(in: range, using: &generator) }
    }
    let delta = Float(0.3 * white)
    switch kind {
    case 0:
      let count = Int.random(in: 1...65_536, using: &generator)
      return .mapTable(
        MapTable(
          area: area,
          table: (0..<count).map { _ in UInt16.random(in: 0...65535, using: &generator) }
        )
      )
    case 1:
      // Of x over the range, then scaled to it.
      let unit = [0.1, 0.7, -0.6, 0.9]
      var scale = white
      var coefficients: [Double] = []
      for coefficient in unit {
        coefficients.append(coefficient * scale)
        scale /= white
      }
      return .mapPolynomial(MapPolynomial(area: area, coefficients: coefficients))
    case 2:
      let mapPlanes = Int.random(in: 1...2, using: &generator)
      return .gainMap(
        GainMap(
          area: area,
          pointsV: 3,
          pointsH: 4,
          spacingV: 0.4,
          spacingH: 0.3,
          originV: 0.1,
          originH: -0.05,
          mapPlanes: mapPlanes,
          gains: values(12 * mapPlanes, 0.5...2)
        )
      )
    case 3:
      return .deltaPerRow(LineValues(area: area, values: values(area.rowCount, -delta...delta)))
    case 4:
      return .deltaPerColumn(
        LineValues(area: area, values: values(area.columnCount, -delta...delta))
      )
    case 5: return .scalePerRow(LineValues(area: area, values: values(area.rowCount, 0...2)))
    default:
      return .scalePerColumn(LineValues(area: area, values: values(area.columnCount, 0...2)))
    }
  }

  private static func opcode(_ operation: Opcode.Operation) -> Opcode {
    Opcode(operation: operation, isOptional: false, isSkippedForPreview: false)
  }

  private static func expectedCode(_ linear: Double) -> Double {
    65535 * TransferFunction.sRGB.encode(min(max(linear, 0), 1))
  }

  @Test(arguments: 1...3, 0...6)
  func samplesAreTheTwins(list: Int, kind: Int) throws {
    for seed in 1...4 {
      for planes in [1, 3] {
        var generator = SeededGenerator(seed: UInt64(seed * 100 + kind))
        var description = TestFrame.description(
          Self.width,
          Self.height,
          layout: .linear(planes: planes)
        )
        let stored = try TestFrame.noise(description, seed: UInt64(seed))
        var twin = OpcodeTwin(
          samples: (0..<Self.height).flatMap { stored.samples.values(ofRow: $0) }
            .map { list == 1 ? $0 : $0 / 65535 },
          size: description.size,
          planes: planes,
          white: list == 1 ? 65535 : 1
        )
        // Two in a row: the order counts.
        let operations = (0..<2).map { _ in
          Self.operation(kind, white: twin.white, planes: planes, &generator)
        }
        for operation in operations { twin.apply(operation) }
        switch list {
        case 1: description.opcodeList1 = operations.map(Self.opcode)
        case 2: description.opcodeList2 = operations.map(Self.opcode)
        default: description.opcodeList3 = operations.map(Self.opcode)
        }
        let frame = try TestFrame.frame(description) { x, y in
          UInt16(stored.samples.values(ofRow: y)[x])
        }
        let result = try Development(frame, .linear, tileSize: PixelSize(width: 16, height: 9))
        var worst = 0.0
        for y in 0..<Self.height {
          for x in 0..<Self.width {
            for color in 0..<3 {
              let sample = min(color, planes - 1)
              let linear = twin.samples[(y * Self.width + x) * planes + sample]
              let expected = Self.expectedCode(list == 1 ? linear / 65535 : linear)
              worst = max(worst, abs(Double(result.pixel(x, y)[color]) - expected))
            }
          }
        }
        // Half a code of rounding, and single precision. A table's index may round the other way.
        #expect(worst < (kind == 0 && list > 1 ? 1500 : 1), "seed \(seed), \(planes) planes")
      }
    }
  }

  /// Tables that rise smoothly, so that an index that rounds the other way shows as one code.
  @Test(arguments: [2, 3]) func smoothTables(list: Int) throws {
    var description = TestFrame.description(64, 40, layout: .linear(planes: 3))
    let table = (0..<60_000).map { UInt16(65535 * (Double($0) / 60_000).squareRoot()) }
    let operation = Opcode.Operation.mapTable(
      MapTable(area: OpcodeArea(top: 0, left: 0, bottom: 0, right: 0, planes: 3), table: table)
    )
    let stored = try TestFrame.noise(description, seed: 5)
    var twin = OpcodeTwin(
      samples: (0..<40).flatMap { stored.samples.values(ofRow: $0) }.map { $0 / 65535 },
      size: description.size,
      planes: 3,
      white: 1
    )
    twin.apply(operation)
    if list == 2 {
      description.opcodeList2 = [Self.opcode(operation)]
    } else {
      description.opcodeList3 = [Self.opcode(operation)]
    }
    let frame = try TestFrame.frame(description) { x, y in
      UInt16(stored.samples.values(ofRow: y)[x])
    }
    let result = try Development(frame, .linear)
    for (value, linear) in zip(result.sixteen, twin.samples) {
      #expect(abs(Double(value) - Self.expectedCode(linear)) < 40)
    }
  }

  /// List 3 works on camera colours although its samples are balanced: of a LinearRaw both lists are the
  /// same.
  @Test(arguments: 0...6) func listThreeIsBeforeWhiteBalance(kind: Int) throws {
    var generator = SeededGenerator(seed: UInt64(kind) + 40)
    var description = TestFrame.description(
      Self.width,
      Self.height,
      layout: .linear(planes: 3),
      color: TestFrame.nikon
    )
    let opcode = Self.opcode(Self.operation(kind, white: 1, planes: 3, &generator))
    description.opcodeList2 = [opcode]
    let second = try Development(try TestFrame.noise(description, seed: 3), .linear)
    description.opcodeList2 = []
    description.opcodeList3 = [opcode]
    let third = try Development(try TestFrame.noise(description, seed: 3), .linear)
    var differences = 0
    for (a, b) in zip(second.sixteen, third.sixteen) where abs(Int(a) - Int(b)) > 4 {
      differences += 1
    }
    // A table of noise shows every index that rounds the other way.
    #expect(differences <= (kind == 0 ? 20 : 0))
    let plain = try Development(
      try TestFrame.noise(
        TestFrame.description(
          Self.width,
          Self.height,
          layout: .linear(planes: 3),
          color: TestFrame.nikon
        ),
        seed: 3
      ),
      .linear
    )
    #expect(plain.sixteen != third.sixteen)
  }

  /// Above white a rebuilt highlight keeps its share: what bends values up to white does not bend it back.
  @Test func rebuiltHighlightsStayAboveWhite() throws {
    var description = TestFrame.description(96, 96, layout: .linear(planes: 3))
    func middle() throws -> [Double] {
      // Green is clipped in the middle, red and blue are not.
      let frame = try TestFrame.frame(description) { x, y in
        let isBright = (32..<64).contains(x / 3) && (32..<64).contains(y)
        let light: [Double] = isBright ? [0.4, 1, 0.5] : [0.3, 0.9, 0.36]
        return UInt16(light[x % 3] * 65535)
      }
      var adjustments = DevelopAdjustments.linear
      adjustments.isHighlightRecoveryEnabled = true
      adjustments.exposure = -2
      return try Development(frame, adjustments).pixel(48, 48).map {
        4 * TransferFunction.sRGB.decode(Double($0) / 65535)
      }
    }
    let plain = try middle()
    #expect(plain[1] > 1.1, "rebuilt above white")
    let area = OpcodeArea(top: 0, left: 0, bottom: 96, right: 96, planes: 3)
    // 2 x - x^2 leaves black and white and falls beyond.
    description.opcodeList3 = [
      Self.opcode(.mapPolynomial(MapPolynomial(area: area, coefficients: [0, 2, -1])))
    ]
    for (value, expected) in zip(try middle(), [0.64, plain[1], 0.75]) {
      #expect(abs(value - expected) < 1e-3)
    }
    description.opcodeList3 = [
      Self.opcode(
        .scalePerRow(LineValues(area: area, values: Array(repeating: 1.25, count: 96)))
      )
    ]
    for (value, before) in zip(try middle(), plain) { #expect(abs(value - 1.25 * before) < 1e-3) }
  }

  /// A mosaic's opcodes before the demosaic, against the twins of both.
  @Test(arguments: 1...6) func mosaics(kind: Int) throws {
    var generator = SeededGenerator(seed: UInt64(kind) + 70)
    var description = TestFrame.description(
      Self.width,
      Self.height,
      layout: .mosaic(.gbrg),
      color: TestFrame.nikon,
      black: 900
    )
    description.activeArea = Region(left: 2, top: 2, width: 33, height: 19)
    description.defaultCrop = DefaultCrop(originX: 0, originY: 0, width: 33, height: 19)
    description.opcodeList2 = (0..<3).map { _ in
      Self.opcode(Self.operation(kind, white: 1, planes: 1, &generator))
    }
    var adjustments = DevelopAdjustments.linear
    adjustments.demosaic = .bilinear
    let frame = try TestFrame.noise(description, seed: 9)
    let result = try Development(frame, adjustments)
    let expected = try Development(
      try BilinearTwin.linearRaw(frame, pattern: .gbrg),
      adjustments
    )
    var worst = 0
    for (a, b) in zip(result.sixteen, expected.sixteen) { worst = max(worst, abs(Int(a) - Int(b))) }
    // The twin's samples are rounded to a 60,000th, which a dark colour's curve enlarges.
    #expect(worst < 60)
  }

  /// OpcodeList1 sees the masked border: its places are the frame's.
  @Test func listOneCountsFromTheFrame() throws {
    var description = TestFrame.description(12, 8, layout: .linear(planes: 1))
    description.activeArea = Region(left: 4, top: 2, width: 8, height: 6)
    description.defaultCrop = DefaultCrop(originX: 0, originY: 0, width: 8, height: 6)
    description.opcodeList1 = [
      Self.opcode(
        .deltaPerColumn(
          LineValues(
            area: OpcodeArea(top: 3, left: 5, bottom: 4, right: 6),
            values: [20_000]
          )
        )
      )
    ]
    let result = try Development(try TestFrame.frame(description) { _, _ in 10_000 }, .linear)
    for y in 0..<6 {
      for x in 0..<8 {
        let expected = Self.expectedCode((x == 1 && y == 1 ? 30_000 : 10_000) / 65535)
        #expect(abs(Double(result.pixel(x, y)[0]) - expected) < 1, "\(x), \(y)")
      }
    }
  }

  /// After OpcodeList2 nothing is below black, named or not.
  @Test func listTwoClipsTheWholeImage() throws {
    var description = TestFrame.description(16, 16, layout: .mosaic(.rggb), black: 30_000)
    let frame = try TestFrame.noise(description, seed: 4)
    let signed = try Development(frame, .linear)
    description.opcodeList2 = [
      Self.opcode(
        .scalePerRow(
          LineValues(area: OpcodeArea(top: 0, left: 0, bottom: 1, right: 1), values: [1])
        )
      )
    ]
    let clipped = try Development(try TestFrame.noise(description, seed: 4), .linear)
    #expect(signed.sixteen != clipped.sixteen)
    let raised = try TestFrame.frame(
      TestFrame.description(16, 16, layout: .mosaic(.rggb), black: 30_000)
    ) {
      x,
      y in max(30_000, UInt16(frame.samples.values(ofRow: y)[x]))
    }
    #expect(try Development(raised, .linear) == clipped)
  }

  @Test func valuesThatDoNotFitTheirLines() throws {
    var description = TestFrame.description(8, 8, layout: .linear(planes: 1))
    description.opcodeList2 = [
      Self.opcode(
        .scalePerRow(
          LineValues(area: OpcodeArea(top: 0, left: 0, bottom: 4, right: 4), values: [1])
        )
      )
    ]
    let frame = try TestFrame.noise(description, seed: 1)
    #expect(
      throws: DevelopError.opcodeUnusable(
        list: 2,
        name: "scalePerRow",
        reason: "has 1 values for 4 rows or columns"
      )
    ) { _ = try Development(frame, .linear) }
  }

  @Test func thePlanNamesThem() throws {
    var description = TestFrame.description(64, 64, layout: .mosaic(.rggb))
    let area = OpcodeArea(top: 0, left: 0, bottom: 0, right: 0)
    description.opcodeList1 = [
      Self.opcode(.fixBadPixelsConstant(FixBadPixelsConstant(constant: 0, bayerPhase: 0))),
      Self.opcode(.mapTable(MapTable(area: area, table: [0, 65535]))),
    ]
    description.opcodeList2 = [
      Self.opcode(.mapPolynomial(MapPolynomial(area: area, coefficients: [0, 1]))),
      Self.opcode(
        .fixBadPixelsList(
          FixBadPixelsList(
            bayerPhase: 0,
            points: [.init(row: 3, column: 3)],
            rectangles: []
          )
        )
      ),
    ]
    description.opcodeList3 = [
      Self.opcode(.mapPolynomial(MapPolynomial(area: area, coefficients: [0, 1])))
    ]
    let settings = try DevelopSettings(resolving: .linear, for: description)
    let stages = try Developer.stages(of: description, settings: settings).map(\.name)
    let names = stages.filter {
      ["fixBadPixels", "mapTable", "mapPolynomial", "opcodeRangeClip"].contains($0)
    }
    #expect(
      names == [
        "fixBadPixels", "mapTable", "mapPolynomial", "opcodeRangeClip", "fixBadPixels",
        "mapPolynomial",
      ]
    )
  }
}
