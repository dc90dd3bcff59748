import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct DespeckleTests {
  private static func mosaic(
    _ amount: Double,
    width: Int = 48,
    height: Int = 40,
    tile: PixelSize = PixelSize(width: 512, height: 512),
    _ code: (Int, Int) -> UInt16
  ) throws -> [Float] {
    let description = TestFrame.description(width, height, layout: .mosaic(.rggb))
    let frame = try TestFrame.frame(description, code)
    var adjustments = DevelopAdjustments()
    adjustments.despeckleAmount = amount
    adjustments.isHighlightRecoveryEnabled = false
    let settings = try DevelopSettings(resolving: adjustments, for: description)
    var values: [Float] = []
    guard let plane = try Developer.mosaic(of: frame, settings: settings, tileSize: tile) else {
      return []
    }
    for y in 0..<height {
      plane.withRow(y) { row in for x in row.indices { values.append(row[x]) } }
    }
    return values
  }

  private static func texture(_ x: Int, _ y: Int) -> UInt16 { UInt16(8000 + 120 * x + 90 * y) }

  /// A hot and a dead photosite of each colour go, their neighbours stay to the bit.
  @Test(arguments: [(20, 20), (21, 20), (20, 21), (21, 21)])
  func hotAndDeadPhotositesGo(x: Int, y: Int) throws {
    let clean = try Self.mosaic(1, Self.texture)
    for speck in [UInt16(60000), 0] {
      let cleaned = try Self.mosaic(1) { $0 == x && $1 == y ? speck : Self.texture($0, $1) }
      for index in clean.indices {
        if index == y * 48 + x {
          #expect(abs(cleaned[index] - clean[index]) < 0.01)
        } else {
          #expect(cleaned[index] == clean[index])
        }
      }
    }
  }

  /// A picture without specks, edges and noise under five deviations included, stays to the bit.
  @Test func structureStays() throws {
    func code(_ x: Int, _ y: Int) -> UInt16 { (x / 6 + y / 5) % 2 == 0 ? 5000 : 40000 }
    #expect(try Self.mosaic(1, code) == Self.mosaic(0, code))
    var generator = SeededGenerator(seed: 31)
    let noise = (0..<(48 * 40)).map { _ in UInt16.random(in: 19900..<20100, using: &generator) }
    func noisy(_ x: Int, _ y: Int) -> UInt16 { noise[y * 48 + x] }
    #expect(try Self.mosaic(1, noisy) == Self.mosaic(0, noisy))
  }

  /// A star is wider than a photosite, wherever between photosites it is.
  @Test(
    arguments: [(0, 0), (0.5, 0), (0.25, 0.25), (0.5, 0.5), (1, 0), (1.3, 0.8)],
    [0.6, 0.7, 1]
  )
  func starsStay(center: (Double, Double), radius: Double) throws {
    func star(_ x: Int, _ y: Int) -> UInt16 {
      let (dx, dy) = (Double(x) - 20 - center.0, Double(y) - 20 - center.1)
      let light = 40000 * PortableMath.exp(-(dx * dx + dy * dy) / (2 * radius * radius))
      return UInt16(2000 + light)
    }
    #expect(try Self.mosaic(1, star) == Self.mosaic(0, star))
  }

  /// Lines of one photosite's width, their ends and crossings, and checkers of one and two.
  @Test(arguments: 0..<6)
  func finePatternsStay(number: Int) throws {
    func isBright(_ x: Int, _ y: Int) -> Bool {
      switch number {
      case 0: x == 20 && (8..<30).contains(y)
      case 1: y == 21 && (8..<30).contains(x)
      case 2: x == y
      case 3: x == 21 || y == 14
      case 4: (x + y) % 2 == 0
      default: (x / 2 + y / 2) % 2 == 0
      }
    }
    for (dark, bright) in [(UInt16(4000), UInt16(40000)), (40000, 4000)] {
      func code(_ x: Int, _ y: Int) -> UInt16 { isBright(x, y) ? bright : dark }
      #expect(try Self.mosaic(1, code) == Self.mosaic(0, code))
    }
  }

  @Test func monotoneAndContinuousInTheAmount() throws {
    func code(_ x: Int, _ y: Int) -> UInt16 { x == 20 && y == 20 ? 50000 : Self.texture(x, y) }
    let index = 20 * 48 + 20
    let original = try Self.mosaic(0, code)[index]
    var last = original
    for amount in [1e-4, 0.2, 0.5, 0.8, 1] {
      let value = try Self.mosaic(amount, code)[index]
      #expect(value < last)
      last = value
    }
    #expect(original - (try Self.mosaic(1e-4, code)[index]) < 1e-3)
  }

  @Test(arguments: [2, 7, 16])
  func tilesDoNotMatter(side: Int) throws {
    func code(_ x: Int, _ y: Int) -> UInt16 { (x * 13 + y * 29) % 101 == 0 ? 60000 : 9000 }
    let tile = PixelSize(width: side, height: side)
    #expect(try Self.mosaic(0.7, tile: tile, code) == Self.mosaic(0.7, code))
  }
}
