import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct MoireReductionTests {
  private static func luma(_ picture: PlaneArrays, _ index: Int) -> Double {
    let sum = picture.colors[0][index] + 2 * picture.colors[1][index] + picture.colors[2][index]
    return Double(sum) / 4
  }

  /// Bands of colour over lines as fine as the photosites.
  private static func bands(_ width: Int, _ height: Int) -> PlaneArrays {
    PlaneArrays(width: width, height: height) { color, x, y in
      let line: Float = x & 1 == 0 ? 0.15 : 0.45
      let band: Float = x / 4 % 2 == 0 ? 0.1 : -0.1
      return line + [band, 0, -band][color]
    }
  }

  @Test func theKernelAgreesWithItsTwin() throws {
    var generator = SeededGenerator(seed: 41)
    let picture = PlaneArrays(width: 45, height: 37) { color, x, y in
      let shape: Float = (x / 12 + y / 12) % 2 == 0 ? 0.2 : 0.5
      return shape * [1, 0.8, 0.6][color] + Float.random(in: 0..<0.06, using: &generator)
    }
    let kernel = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 0.8))
    #expect(kernel.largestDifference(from: twin(picture, 0.8)) < 3e-6)
  }

  private func twin(_ picture: PlaneArrays, _ amount: Double) -> PlaneArrays {
    let (width, height) = (picture.width, picture.height)
    func sample(_ color: Int, _ x: Int, _ y: Int) -> Double {
      let index = MirroredField.index(y, height) * width + MirroredField.index(x, width)
      return Double(picture.colors[color][index])
    }
    let luma = MirroredField(width, height, margin: 16) { x, y in
      (sample(0, x, y) + 2 * sample(1, x, y) + sample(2, x, y)) / 4
    }
    let smooth = luma.smoothed(step: 1, margin: 12)
    let squares = MirroredField(width, height, margin: 12) { x, y in
      (luma[x, y] - smooth[x, y]) * (luma[x, y] - smooth[x, y])
    }
    let power = squares.smoothed(step: 2, margin: 0)
    let colors = [0, 2].map { color in
      MirroredField(width, height, margin: 16) { x, y in sample(color, x, y) - sample(1, x, y) }
    }
    let calm = colors.map {
      $0.smoothed(step: 1, margin: 14).smoothed(step: 2, margin: 10).smoothed(step: 4, margin: 0)
    }
    var result = picture
    for y in 0..<height {
      for x in 0..<width {
        let light = max(luma[x, y], 1e-4)
        let t = min(max((power[x, y] / (light * light) - 0.0004) / 0.006, 0), 1)
        let share = amount * t * t * (3 - 2 * t)
        let d1 = (calm[0][x, y] - colors[0][x, y]) * share
        let d2 = (calm[1][x, y] - colors[1][x, y]) * share
        let rest = (d1 + d2) / 4
        result.colors[0][y * width + x] += Float(d1 - rest)
        result.colors[1][y * width + x] -= Float(rest)
        result.colors[2][y * width + x] += Float(d2 - rest)
      }
    }
    return result
  }

  @Test func bandsOfColourGoAndLumaStays() throws {
    let picture = Self.bands(80, 60)
    let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 1))
    for index in picture.colors[0].indices {
      #expect(abs(Self.luma(reduced, index) - Self.luma(picture, index)) < 1e-6)
    }
    func swing(_ picture: PlaneArrays) -> Float {
      var values: [Float] = []
      for x in 20..<60 {
        let index = 30 * 80 + x
        values.append(picture.colors[0][index] - picture.colors[1][index])
      }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    #expect(swing(reduced) < 0.3 * swing(picture))
  }

  @Test func calmAreasStay() throws {
    let picture = PlaneArrays(width: 50, height: 40) { color, x, y in
      [0.3, 0.4, 0.5][color] + Float(x) * 0.001 * [1, -1, 0.5][color]
    }
    let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 1))
    #expect(reduced.largestDifference(from: picture) < 1e-7)
  }

  @Test func monotoneAndContinuousInTheAmount() throws {
    let picture = Self.bands(64, 48)
    var last = 0.0
    for amount in [1e-5, 0.2, 0.5, 1] {
      let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: amount))
      let distance = reduced.distance(from: picture)
      #expect(distance >= last)
      if amount < 1e-4 { #expect(distance < 1e-5) }
      last = distance
    }
  }

  @Test(arguments: [1, 13, 30])
  func tilesDoNotMatter(side: Int) throws {
    let picture = Self.bands(70, 50)
    let tile = PixelSize(width: side, height: side + 3)
    #expect(
      PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 0.6, tileSize: tile))
        == PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 0.6))
    )
  }

  /// Demosaiced samples have no filter colours left to mistake: the recipe's wish is reported.
  @Test func withoutAMosaicItIsReported() throws {
    var adjustments = DevelopAdjustments()
    adjustments.moireReductionAmount = 0.5
    adjustments.despeckleAmount = 0.5
    let linear = TestFrame.description(8, 8, layout: .linear(planes: 3))
    let settings = try DevelopSettings(resolving: adjustments, for: linear)
    #expect(settings.moireReductionAmount == 0 && settings.despeckleAmount == 0)
    #expect(
      settings.unsupported == [
        "moireReductionAmount: the raw is no mosaic", "despeckleAmount: the raw is no mosaic",
      ]
    )
    #expect(settings.resolved.contains { $0.name == "unsupported" })
    let mosaic = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    #expect(
      try DevelopSettings(resolving: adjustments, for: mosaic).unsupported.isEmpty
    )
  }
}
