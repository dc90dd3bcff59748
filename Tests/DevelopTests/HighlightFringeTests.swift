import Develop
import Raster
import RawModel
import Testing

/// Colours of rebuilt highlights after the demosaic, in scenes whose colours are known.
@Suite struct HighlightFringeTests {
  private static let side = 256

  /// Balanced colours of a recovered and demosaiced scene.
  private static func picture(_ light: (Int, Int) -> [Double]) throws -> PlaneArrays {
    let mosaic = try HighlightRecoveryTests.mosaic(side, side, light)
    var plane = try Plane<Float>(width: side, height: side)
    for y in 0..<side {
      plane.withMutableRow(y) { row in for x in row.indices { row[x] = Float(mosaic[x, y]) } }
    }
    return PlaneArrays(
      try Demosaicer.menon(plane, pattern: .rggb, scheduler: TileScheduler(laneCount: 1))
    )
  }

  /// Ratios of red and blue to green against those of the scene, the larger of both; edges are left out.
  private static func errors(
    _ picture: PlaneArrays,
    _ light: (Int, Int) -> [Double],
    where isMeasured: (Int, Int) -> Bool = { _, _ in true }
  ) -> [Double] {
    var errors: [Double] = []
    for y in 16..<(side - 16) {
      for x in 16..<(side - 16) where isMeasured(x, y) {
        let scene = light(x, y).map { $0 + 0.05 }
        let color = picture.colors.map { Double($0[y * side + x]) + 0.05 }
        let ratios = [0, 2].map { color[$0] / color[1] * scene[1] / scene[$0] }
        errors.append(ratios.reduce(0) { max($0, $1, 1 / $1) } - 1)
      }
    }
    return errors.sorted()
  }

  /// A dark cable before a sky that goes from green's clip level to beyond the last: all of the sky is grey.
  /// (On the cable itself the demosaic errs, as it does without clipping.)
  @Test(arguments: [(0.993, 0.12), (0.62, 0.784), (0.12, 0.993), (0.707, 0.707)])
  func cablesBeforeClippedLightAreGrey(across: (x: Double, y: Double)) throws {
    func light(_ x: Int, _ y: Int) -> [Double] {
      let distance = across.x * Double(x - 128) + across.y * Double(y - 128)
      let cover = 1 - TwinFormula.smoothStep((abs(distance) - 0.9) / 1.6)
      let sky = 1 + 2 * Double(x + y) / 512
      let level = sky + (0.12 - sky) * cover
      return [level, level, level]
    }
    let errors = Self.errors(try Self.picture(light), light) { light($0, $1)[1] > 0.9 }
    #expect((errors.last ?? 1) < 0.35)
    #expect(errors[errors.count * 99 / 100] < 0.15)
  }

  /// A cloud over green's clip level before a blue sky is as white as it was.
  @Test(arguments: [1.2, 1.45, 2.2])
  func cloudsBeforeTheSkyAreWhite(level: Double) throws {
    func share(_ x: Int, _ y: Int) -> Double {
      let (dx, dy) = (Double(x - 128), Double(y - 128))
      return TwinFormula.smoothStep((95 - (dx * dx + dy * dy).squareRoot()) / 70)
    }
    func light(_ x: Int, _ y: Int) -> [Double] {
      [0.3, 0.48, 0.72].map { $0 + (level - $0) * share(x, y) }
    }
    let picture = try Self.picture(light)
    let errors = Self.errors(picture, light) { share($0, $1) > 0.8 }
    #expect((errors.last ?? 1) < 0.04)
  }
}
