import Develop
import Raster
import RawModel
import Recipe
import Testing

@Suite struct BadPixelsTests {
  /// Bayer phase of the opcode for a pattern.
  private static func phase(_ pattern: CFAPattern) -> Int {
    switch pattern {
    case .rggb: 0
    case .grbg: 1
    case .gbrg: 2
    case .bggr: 3
    }
  }

  private static func list(
    _ pattern: CFAPattern,
    _ points: [(x: Int, y: Int)],
    _ rectangles: [Region] = []
  ) -> Opcode {
    Opcode(
      operation: .fixBadPixelsList(
        FixBadPixelsList(
          bayerPhase: phase(pattern),
          points: points.map { .init(row: UInt32($0.y), column: UInt32($0.x)) },
          rectangles: rectangles
        )
      ),
      isOptional: false,
      isSkippedForPreview: false
    )
  }

  /// Lone pixels, a row of them, corners, and a block.
  private static let points: [(x: Int, y: Int)] = [
    (10, 10), (11, 10), (20, 9), (21, 8), (0, 0), (47, 0), (0, 39), (47, 39), (1, 38), (30, 20),
    (32, 20), (34, 20), (90, 5), (5, 90),
  ]
  private static let block = Region(left: 36, top: 28, width: 5, height: 4)

  private static func isBad(_ x: Int, _ y: Int) -> Bool {
    points.contains { $0 == (x, y) } || block.columns.contains(x) && block.rows.contains(y)
  }

  private static func code(_ pattern: CFAPattern, _ x: Int, _ y: Int) -> UInt16 {
    [12_000, 30_000, 21_000][pattern.colors[2 * (y & 1) + x & 1]]
  }

  @Test(arguments: CFAPattern.allCases, 1...3)
  func flatFieldsAreWhole(pattern: CFAPattern, way: Int) throws {
    var description = TestFrame.description(48, 40, layout: .mosaic(pattern))
    let sound = try Development(
      try TestFrame.frame(description) { x, y in Self.code(pattern, x, y) },
      .linear
    )
    switch way {
    case 1: description.opcodeList1 = [Self.list(pattern, Self.points, [Self.block])]
    case 2: description.opcodeList2 = [Self.list(pattern, Self.points, [Self.block])]
    default:
      description.opcodeList1 = [
        Opcode(
          operation: .fixBadPixelsConstant(
            FixBadPixelsConstant(constant: 60_000, bayerPhase: Self.phase(pattern))
          ),
          isOptional: false,
          isSkippedForPreview: false
        )
      ]
    }
    let frame = try TestFrame.frame(description) { x, y in
      Self.isBad(x, y) ? 60_000 : Self.code(pattern, x, y)
    }
    let patched = try Development(frame, .linear)
    #expect(patched == sound)
    for tile in [(5, 7), (16, 1000), (48, 40)] {
      let tiled = try Development(
        frame,
        .linear,
        lanes: 2,
        tileSize: PixelSize(width: tile.0, height: tile.1)
      )
      #expect(tiled == patched)
    }
  }

  /// On noise the lists of both stages agree to rounding, whatever the tiles.
  @Test func bothListsAgree() throws {
    var description = TestFrame.description(48, 40, layout: .mosaic(.grbg))
    description.opcodeList1 = [Self.list(.grbg, Self.points, [Self.block])]
    let first = try Development(try TestFrame.noise(description, seed: 6), .linear)
    description.opcodeList2 = description.opcodeList1
    description.opcodeList1 = []
    let frame = try TestFrame.noise(description, seed: 6)
    let second = try Development(frame, .linear)
    for tile in [(3, 3), (17, 6)] {
      let tiled = try Development(
        frame,
        .linear,
        lanes: 2,
        tileSize: PixelSize(width: tile.0, height: tile.1)
      )
      #expect(tiled == second)
    }
    var far = 0
    for (a, b) in zip(first.sixteen, second.sixteen) where abs(Int(a) - Int(b)) > 100 { far += 1 }
    // Half a code may turn a choice of the demosaic.
    #expect(Double(far) < 0.01 * Double(first.sixteen.count))
  }

  /// An edge goes on through a bad pixel: the pair along it differs least.
  @Test func edgesGoOn() throws {
    var description = TestFrame.description(48, 40, layout: .mosaic(.rggb))
    func code(_ x: Int, _ y: Int) -> UInt16 { x < 20 ? 5000 : 40_000 }
    let sound = try Development(try TestFrame.frame(description) { x, y in code(x, y) }, .linear)
    description.opcodeList1 = [Self.list(.rggb, [(20, 20), (19, 20), (18, 11), (20, 30)])]
    let frame = try TestFrame.frame(description) { x, y in
      [(20, 20), (19, 20), (18, 11), (20, 30)].contains { $0 == (x, y) } ? 0 : code(x, y)
    }
    #expect(try Development(frame, .linear) == sound)
  }

  @Test func aBlockWithoutNeighboursIsRefused() throws {
    var description = TestFrame.description(100, 90, layout: .mosaic(.rggb))
    description.opcodeList2 = [
      Self.list(.rggb, [], [Region(left: 5, top: 5, width: 80, height: 75)])
    ]
    let frame = try TestFrame.noise(description, seed: 1)
    #expect {
      _ = try Development(frame, .linear)
    } throws: { error in
      if case DevelopError.opcodeUnusable(list: 2, name: "FixBadPixelsList", reason: _) = error {
        return true
      }
      return false
    }
  }

  @Test func theyAreForMosaicsAlone() throws {
    var description = TestFrame.description(8, 8, layout: .linear(planes: 3))
    description.opcodeList1 = [Self.list(.rggb, [(1, 1)])]
    let frame = try TestFrame.noise(description, seed: 1)
    #expect(
      throws: DevelopError.opcodeUnsupported(list: 1, id: 5, name: "FixBadPixelsList")
    ) { _ = try Development(frame, .linear) }
  }
}
