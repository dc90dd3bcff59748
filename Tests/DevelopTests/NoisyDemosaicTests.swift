import ColorScience
import Develop
import Raster
import RawModel
import TestSupport
import Testing

@Suite struct NoisyDemosaicTests {
  private static func noise(_ scale: Double) -> NoiseModel {
    NoiseModel(slope: Vector3(repeating: scale), offset: Vector3(repeating: scale * 1e-2))
  }

  /// A flat field with noise, demosaiced.
  private static func demosaiced(
    _ mosaic: borrowing Plane<Float>,
    _ noise: NoiseModel?,
    tile: Int = 512
  ) throws -> PlaneArrays {
    PlaneArrays(
      try Demosaicer.menon(
        mosaic,
        pattern: .rggb,
        noise: noise,
        scheduler: TileScheduler(laneCount: 1),
        tileSize: PixelSize(width: tile, height: tile)
      )
    )
  }

  private static func mosaic(_ noise: NoiseModel, seed: UInt64) throws -> Plane<Float> {
    var generator = SeededGenerator(seed: seed)
    var plane = try Plane<Float>(width: 96, height: 80)
    for y in 0..<plane.height {
      plane.withMutableRow(y) { row in
        for x in row.indices {
          var sum = 0.0
          for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
          let light = x < 48 ? 0.1 : 0.4
          row[x] = Float(light + (sum - 6) * noise.variance(light).x.squareRoot())
        }
      }
    }
    return plane
  }

  /// Menon (2007) as published, of samples `sign(x) (sqrt(|x| + c) - sqrt(c))` with `c` 0.002.
  @Test func littleNoiseIsMenonOfRoots() throws {
    let noise = Self.noise(2e-5)
    let root = 2e-3.squareRoot()
    let mosaic = try Self.mosaic(noise, seed: 51)
    var roots: [Double] = []
    for y in 0..<mosaic.height {
      mosaic.withRow(y) { row in
        for x in row.indices {
          let light = Double(row[x])
          let compressed = (abs(light) + 2e-3).squareRoot() - root
          roots.append(light < 0 ? -compressed : compressed)
        }
      }
    }
    let twin = MenonTwin(
      width: mosaic.width,
      height: mosaic.height,
      pattern: .rggb,
      samples: roots
    ).reconstruct()
    let picture = try Self.demosaiced(mosaic, noise)
    var wrong = 0
    for color in 0..<3 {
      for index in twin[color].indices {
        let y = twin[color][index]
        let light = y * (abs(y) + 2 * root)
        if abs(Double(picture.colors[color][index]) - light) > 1e-5 { wrong += 1 }
      }
    }
    // Where both directions are equally good within rounding, either may win.
    #expect(wrong <= twin[0].count * 3 / 1000)
  }

  /// The dark side of an edge beside bright white: no black fringe, no colour.
  @Test func darknessBesideBrightnessKeepsItsColor() throws {
    let dark = [0.02, 0.015, 0.01]
    let width = 96
    var plane = try Plane<Float>(width: width, height: 80)
    func isBright(_ x: Int, _ y: Int) -> Bool { 3 * x + y < 3 * 48 }
    for y in 0..<80 {
      plane.withMutableRow(y) { row in
        for x in row.indices {
          row[x] = isBright(x, y) ? 0.9 : Float(dark[CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]])
        }
      }
    }
    func worst(_ picture: PlaneArrays) -> (darker: Double, error: Double) {
      var darker = 0.0
      var error = 0.0
      for color in 0..<3 {
        for y in 8..<72 {
          // From two pixels behind the edge on: nearer ones are mixtures.
          for x in 8..<88 where !isBright(x - 2, y) {
            let difference = Double(picture.colors[color][y * width + x]) - dark[color]
            darker = max(darker, -difference)
            error = max(error, abs(difference))
          }
        }
      }
      return (darker, error)
    }
    let published = worst(try Self.demosaiced(plane, nil))
    let roots = worst(try Self.demosaiced(plane, Self.noise(2e-5)))
    #expect(roots.darker < 0.01)
    #expect(roots.error < 0.5 * published.error)
  }

  @Test func muchNoiseIsSmootherAndKeepsEdges() throws {
    let noise = Self.noise(2e-3)
    let mosaic = try Self.mosaic(noise, seed: 52)
    let plain = try Self.demosaiced(mosaic, nil)
    let soft = try Self.demosaiced(mosaic, noise)
    func error(_ picture: PlaneArrays) -> Double {
      var sum = 0.0
      for color in 0..<3 {
        for y in 8..<72 {
          for x in 8..<88 {
            let light = x < 48 ? 0.1 : 0.4
            let difference = Double(picture.colors[color][y * 96 + x]) - light
            sum += difference * difference
          }
        }
      }
      return sum
    }
    #expect(error(soft) < 0.93 * error(plain))
  }

  /// Without a jump where mixing begins, as noise grows.
  @Test func continuousInTheNoise() throws {
    let mosaic = try Self.mosaic(Self.noise(1e-3), seed: 53)
    // Where it begins: a deviation of 0.004 at 0.1.
    let start = 1.6e-5 / 0.11
    let below = try Self.demosaiced(mosaic, Self.noise(start * 0.99))
    let little = try Self.demosaiced(mosaic, Self.noise(start * 1.01)).distance(from: below)
    let much = try Self.demosaiced(mosaic, Self.noise(start * 9)).distance(from: below)
    #expect(little < 0.01 * much)
  }

  @Test(arguments: [7, 32])
  func tilesDoNotMatter(tile: Int) throws {
    let noise = Self.noise(2e-3)
    let mosaic = try Self.mosaic(noise, seed: 54)
    #expect(try Self.demosaiced(mosaic, noise, tile: tile) == Self.demosaiced(mosaic, noise))
  }
}
