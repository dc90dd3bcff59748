import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct LinearizationTests {
  private static func code16(_ linear: Double) -> Double {
    65535 * TransferFunction.sRGB.encode(min(max(linear, 0), 1))
  }

  @Test func tableBlackAndWhite() throws {
    var description = TestFrame.description(
      16,
      1,
      layout: .linear(planes: 1),
      white: 5000,
      black: 1000
    )
    // Codes past the end take the last entry.
    description.linearizationTable = (0..<12).map { UInt16($0 * 500) }
    let frame = try TestFrame.frame(description) { x, _ in UInt16(x) }
    let result = try Development(frame, .linear)
    for x in 0..<16 {
      let linear = (Double(min(x, 11) * 500) - 1000) / 4000
      #expect(abs(Double(result.pixel(x, 0)[0]) - Self.code16(linear)) < 1)
    }
  }

  /// A flat field under every kind of black level: what was added must be what is subtracted.
  @Test(arguments: [(1, 1), (2, 2), (4, 4), (3, 5)], [false, true])
  func patternsAndDeltasOfAMosaic(repeats: (Int, Int), hasDeltas: Bool) throws {
    var description = TestFrame.description(41, 23, layout: .mosaic(.grbg), white: 16000)
    description.activeArea = Region(left: 3, top: 2, width: 33, height: 19)
    description.defaultCrop = DefaultCrop(originX: 0, originY: 0, width: 33, height: 19)
    var generator = SeededGenerator(seed: 3)
    func random(_ count: Int) -> [Double] {
      (0..<count).map { _ in Double(Int.random(in: 0..<300, using: &generator)) }
    }
    let level = BlackLevel(
      repeatRows: repeats.0,
      repeatColumns: repeats.1,
      samplesPerPixel: 1,
      values: random(repeats.0 * repeats.1),
      deltaH: hasDeltas ? random(33) : [],
      deltaV: hasDeltas ? random(19) : []
    )
    description.blackLevel = level
    // The highest level that a pixel has.
    let highest = (0..<19).reduce(0.0) { highest, row in
      (0..<33).reduce(highest) { max($0, level.level(row: row, column: $1, sample: 0)) }
    }
    let frame = try TestFrame.frame(description) { x, y in
      let column = x - 3
      let row = y - 2
      guard (0..<33).contains(column), (0..<19).contains(row) else { return 65535 }
      return UInt16(4000 + level.level(row: row, column: column, sample: 0))
    }
    let result = try Development(frame, .linear)
    #expect(result.width == 33 && result.height == 19)
    let expected = Self.code16(4000 / (16000 - highest))
    for value in result.sixteen { #expect(abs(Double(value) - expected) < 2) }
  }

  @Test func levelsForEachSampleOfALinearRaw() throws {
    var description = TestFrame.description(5, 3, layout: .linear(planes: 3))
    description.blackLevel = BlackLevel(
      repeatRows: 1,
      repeatColumns: 1,
      samplesPerPixel: 3,
      values: [100, 200, 300]
    )
    description.whiteLevel = [4100, 8200, 12300]
    let frame = try TestFrame.frame(description) { x, _ in [1100, 2200, 3300][x % 3] }
    let result = try Development(frame, .linear)
    for value in result.sixteen { #expect(abs(Double(value) - Self.code16(0.25)) < 1.5) }
  }

  @Test func gainMapsUndoTheShadingOfEachPhase() throws {
    var description = TestFrame.description(90, 62, layout: .mosaic(.rggb), white: 65535)
    var generator = SeededGenerator(seed: 11)
    var maps: [GainMap] = []
    for phase in 0..<4 {
      let map = GainMap(
        area: OpcodeArea(
          top: phase / 2,
          left: phase % 2,
          bottom: phase / 2 + 62,
          right: phase % 2 + 90,
          rowPitch: 2,
          columnPitch: 2
        ),
        pointsV: 5,
        pointsH: 4,
        spacingV: 0.25,
        spacingH: 0.3,
        originV: 0,
        originH: 0.05,
        mapPlanes: 1,
        gains: (0..<20).map { _ in Float.random(in: 1...2.5, using: &generator) }
      )
      maps.append(map)
    }
    description.opcodeList2 = maps.map {
      Opcode(operation: .gainMap($0), isOptional: true, isSkippedForPreview: true)
    }
    // The gain by the specification's words: bilinear over relative pixel centres, edges going on.
    func gain(_ map: GainMap, _ x: Int, _ y: Int) -> Double {
      let u = min(max(((Double(x) + 0.5) / 90 - map.originH) / map.spacingH, 0), 3)
      let v = min(max(((Double(y) + 0.5) / 62 - map.originV) / map.spacingV, 0), 4)
      let left = min(Int(u), 2)
      let top = min(Int(v), 3)
      func point(_ row: Int, _ column: Int) -> Double { Double(map.gains[row * 4 + column]) }
      let a = u - Double(left)
      let above = point(top, left) * (1 - a) + point(top, left + 1) * a
      let below = point(top + 1, left) * (1 - a) + point(top + 1, left + 1) * a
      return above + (below - above) * (v - Double(top))
    }
    let frame = try TestFrame.frame(description) { x, y in
      UInt16((20000 / gain(maps[2 * (y % 2) + x % 2], x, y)).rounded())
    }
    let result = try Development(frame, .linear)
    let expected = Self.code16(20000 / 65535)
    for value in result.sixteen { #expect(abs(Double(value) - expected) < 6) }
  }

  @Test func gainsClipAtWhite() throws {
    var description = TestFrame.description(4, 4, layout: .linear(planes: 1))
    let map = GainMap(
      area: OpcodeArea(
        top: 0,
        left: 0,
        bottom: 4,
        right: 4
      ),
      pointsV: 1,
      pointsH: 1,
      spacingV: 0,
      spacingH: 0,
      originV: 0,
      originH: 0,
      mapPlanes: 1,
      gains: [3]
    )
    description.opcodeList2 = [
      Opcode(operation: .gainMap(map), isOptional: false, isSkippedForPreview: false)
    ]
    let frame = try TestFrame.frame(description) { x, _ in UInt16(x * 10000) }
    var adjustments = DevelopAdjustments.linear
    adjustments.exposure = -1
    let result = try Development(frame, adjustments)
    for x in 0..<4 {
      let linear = min(Double(x * 30000) / 65535, 1) / 2
      #expect(abs(Double(result.pixel(x, 0)[0]) - Self.code16(linear)) < 1)
    }
  }
}
