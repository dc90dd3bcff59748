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

  @Test func littleNoiseIsMenonToTheBit() throws {
    let noise = Self.noise(2e-5)
    let mosaic = try Self.mosaic(noise, seed: 51)
    #expect(try Self.demosaiced(mosaic, noise) == Self.demosaiced(mosaic, nil))
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

  /// From nothing on, without a jump, as noise grows.
  @Test func continuousInTheNoise() throws {
    let mosaic = try Self.mosaic(Self.noise(1e-3), seed: 53)
    let plain = try Self.demosaiced(mosaic, nil)
    // Where it begins: a deviation of 0.004 at 0.1.
    let start = 1.6e-5 / 0.11
    #expect(try Self.demosaiced(mosaic, Self.noise(start * 0.99)) == plain)
    let little = try Self.demosaiced(mosaic, Self.noise(start * 1.01)).distance(from: plain)
    let much = try Self.demosaiced(mosaic, Self.noise(start * 9)).distance(from: plain)
    #expect(little < 0.01 * much)
  }

  @Test(arguments: [7, 32])
  func tilesDoNotMatter(tile: Int) throws {
    let noise = Self.noise(2e-3)
    let mosaic = try Self.mosaic(noise, seed: 54)
    #expect(try Self.demosaiced(mosaic, noise, tile: tile) == Self.demosaiced(mosaic, noise))
  }
}
