import Develop
import Raster
import RawModel
import TestSupport
import Testing

/// A mosaic in both precisions.
private struct TestMosaic: ~Copyable {
  var plane: Plane<Float>
  var samples: [Double] = []

  init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) throws {
    plane = try Plane<Float>(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let sample = value(x, y)
        samples.append(sample)
        plane.withMutableRow(y) { $0[x] = Float(sample) }
      }
    }
  }
}

@Suite struct DemosaicTests {
  private static func values(_ planes: borrowing RGBPlanes) -> [[Float]] {
    func values(_ plane: borrowing Plane<Float>) -> [Float] {
      var values: [Float] = []
      for y in 0..<plane.height {
        plane.withRow(y) { row in for x in row.indices { values.append(row[x]) } }
      }
      return values
    }
    return [values(planes.red), values(planes.green), values(planes.blue)]
  }

  private let oneLane = TileScheduler(laneCount: 1)

  @Test(arguments: CFAPattern.allCases)
  func flatColourStaysFlat(pattern: CFAPattern) throws {
    let colors = [4000.0, 9000, 2500]
    let mosaic = try TestMosaic(37, 29) { x, y in
      colors[pattern.colors[2 * (y & 1) + (x & 1)]]
    }
    let result = Self.values(
      try Demosaicer.menon(mosaic.plane, pattern: pattern, scheduler: oneLane)
    )
    for color in 0..<3 {
      for value in result[color] { #expect(abs(Double(value) - colors[color]) < 0.002) }
    }
  }

  @Test(arguments: CFAPattern.allCases)
  func greyRampsStayGrey(pattern: CFAPattern) throws {
    let mosaic = try TestMosaic(40, 30) { x, y in Double(100 + 16 * x + 32 * y) }
    let result = Self.values(
      try Demosaicer.menon(mosaic.plane, pattern: pattern, scheduler: oneLane)
    )
    for y in 10..<20 {
      for x in 10..<30 {
        for color in 0..<3 {
          #expect(abs(Double(result[color][40 * y + x]) - mosaic.samples[40 * y + x]) < 0.001)
        }
      }
    }
  }

  /// Edges of a grey pattern along rows or columns are the case that the decision is there for.
  @Test func greyStripesGainNoColour() throws {
    for isVertical in [true, false] {
      let mosaic = try TestMosaic(48, 48) { x, y in
        ((isVertical ? x : y) / 3) % 2 == 0 ? 1000 : 12000
      }
      let result = Self.values(
        try Demosaicer.menon(mosaic.plane, pattern: .rggb, scheduler: oneLane)
      )
      for index in mosaic.samples.indices {
        for color in 0..<3 {
          #expect(abs(Double(result[color][index]) - mosaic.samples[index]) < 0.01)
        }
      }
    }
  }

  /// Integers, for which both decide without rounding.
  @Test(arguments: CFAPattern.allCases)
  func equalsTheTwin(pattern: CFAPattern) throws {
    let seed: UInt64 = 20_070_116
    var generator = SeededGenerator(seed: seed)
    for (width, height) in [(61, 47), (16, 16), (7, 5), (3, 9), (2, 2)] {
      let mosaic = try TestMosaic(width, height) { x, y in
        let texture = (x / 5 + y / 4) % 3 * 3000
        return Double(texture + Int.random(in: 0..<2048, using: &generator))
      }
      let result = Self.values(
        try Demosaicer.menon(mosaic.plane, pattern: pattern, scheduler: oneLane)
      )
      let twin = MenonTwin(width: width, height: height, pattern: pattern, samples: mosaic.samples)
      let expected = twin.reconstruct()
      var worst = 0.0
      for color in 0..<3 {
        for index in mosaic.samples.indices {
          worst = max(worst, abs(Double(result[color][index]) - expected[color][index]))
        }
      }
      #expect(worst < 0.01, "seed \(seed), \(width)x\(height)")
    }
  }

  @Test(arguments: [(1, 1), (5, 3), (8, 8), (13, 64), (200, 200)])
  func tilesAndLanesDoNotMatter(width: Int, height: Int) throws {
    var generator = SeededGenerator(seed: 7)
    let mosaic = try TestMosaic(75, 41) { _, _ in
      Double.random(in: -0.1...1.5, using: &generator)
    }
    let whole = Self.values(try Demosaicer.menon(mosaic.plane, pattern: .gbrg, scheduler: oneLane))
    for lanes in [1, 3] {
      let tiled = Self.values(
        try Demosaicer.menon(
          mosaic.plane,
          pattern: .gbrg,
          scheduler: TileScheduler(laneCount: lanes),
          tileSize: PixelSize(width: width, height: height)
        )
      )
      #expect(tiled == whole)
    }
  }
}
