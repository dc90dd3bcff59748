import ColorScience
import Develop
import Raster
import TestSupport
import Testing

@Suite struct LocalDetailTests {
  /// There is no stage where there should be one.
  private struct Missing: Error {}

  private static func picture(_ width: Int, _ height: Int, seed: UInt64) -> PlaneArrays {
    var generator = SeededGenerator(seed: seed)
    return PlaneArrays(width: width, height: height) { color, x, y in
      let shape = Float((x / 13 + y / 17) % 3) * 0.25 + 0.02
      return shape * [1, 0.9, 0.7][color] + Float.random(in: 0..<0.01, using: &generator)
    }
  }

  private static func enhanced(
    _ picture: PlaneArrays,
    _ sharpness: Double,
    _ detail: Double,
    _ contrast: Double,
    deviation: Double = 0.002,
    tile: PixelSize = PixelSize(width: 512, height: 512)
  ) throws -> PlaneArrays {
    let planes = try DetailEnhancer.enhance(
      picture.planes(),
      sharpness: sharpness,
      detail: detail,
      contrast: contrast,
      deviation: deviation,
      tileSize: tile
    )
    guard let planes else { throw Missing() }
    return PlaneArrays(planes)
  }

  @Test(arguments: [(0.7, 0, 0), (0, 2.5, 0), (0, 0, 0.8), (0.3, 1, 0.5)])
  func theKernelAgreesWithItsTwin(sharpness: Double, detail: Double, contrast: Double) throws {
    let picture = Self.picture(61, 47, seed: 11)
    let twin = LocalDetailTwin(
      sharpness: sharpness,
      detail: detail,
      contrast: contrast,
      deviation: 0.002
    )
    let kernel = try Self.enhanced(picture, sharpness, detail, contrast)
    #expect(kernel.largestDifference(from: twin.enhance(picture)) < 1e-5)
  }

  @Test(arguments: [1, 9, 40])
  func tilesDoNotMatter(side: Int) throws {
    let picture = Self.picture(77, 69, seed: 12)
    let tile = PixelSize(width: side + 1, height: side)
    #expect(
      try Self.enhanced(picture, 0.5, 1, 0.5, tile: tile) == Self.enhanced(picture, 0.5, 1, 0.5)
    )
  }

  @Test func nothingToDoIsNoStage() throws {
    let picture = Self.picture(8, 8, seed: 13)
    let planes = try DetailEnhancer.enhance(
      picture.planes(),
      sharpness: 0,
      detail: 0,
      contrast: 0,
      deviation: 0
    )
    let isThere = planes != nil
    #expect(!isThere)
  }

  @Test(arguments: [0, 1, 2])
  func monotoneAndContinuousInTheAmount(band: Int) throws {
    let picture = Self.picture(80, 60, seed: 14)
    func enhanced(_ amount: Double) throws -> PlaneArrays {
      try Self.enhanced(
        picture,
        band == 0 ? amount : 0,
        band == 1 ? 3 * amount : 0,
        band == 2 ? amount : 0
      )
    }
    var last = 0.0
    for amount in [1e-5, 0.1, 0.3, 0.6, 1] {
      let distance = try enhanced(amount).distance(from: picture)
      #expect(distance >= last)
      last = distance
    }
    #expect(try enhanced(1e-5).distance(from: picture) < 1e-3 * last)
    #expect(try enhanced(0.5).distance(from: try enhanced(0.5001)) < 2e-3 * last)
  }

  /// Noise under the threshold is not sharpened, and hue stays.
  @Test func noiseIsLeftAloneAndHueKept() throws {
    var generator = SeededGenerator(seed: 15)
    let flat = PlaneArrays(width: 64, height: 64) { color, _, _ in
      [0.3, 0.2, 0.1][color] + Float.random(in: -1e-4..<1e-4, using: &generator)
    }
    let sharp = try Self.enhanced(flat, 1, 0, 0, deviation: 0.01)
    #expect(sharp.largestDifference(from: flat) < 1e-6)
    let edges = Self.picture(64, 64, seed: 16)
    let result = try Self.enhanced(edges, 1, 3, 1)
    for index in 0..<(64 * 64) {
      let before = edges.colors[0][index] / edges.colors[1][index]
      let after = result.colors[0][index] / result.colors[1][index]
      #expect(abs(before - after) < 1e-4 * before)
    }
  }

  /// An edge gets no halo: sharpening and detail stay near the range of the neighbours, and local contrast
  /// leaves a step between flat areas as it is.
  @Test func edgesHaveNoHalo() throws {
    let step = PlaneArrays(width: 96, height: 32) { _, x, _ in x < 48 ? 0.1 : 0.6 }
    let sharp = try Self.enhanced(step, 1, 3, 0)
    let low = (0.1 as Float + 0x1p-10).squareRoot()
    let high = (0.6 as Float + 0x1p-10).squareRoot()
    let margin = (high - low) * 0.2
    for value in sharp.colors[1] {
      let lightness = (value + 0x1p-10).squareRoot()
      #expect(lightness > low - margin - 1e-3 && lightness < high + margin + 1e-3)
    }
    let contrast = try Self.enhanced(step, 0, 0, 1)
    for x in 0..<96 where x < 42 || x > 54 {
      let index = 16 * 96 + x
      #expect(abs(contrast.colors[1][index] / step.colors[1][index] - 1) < 0.06)
    }
  }
}
