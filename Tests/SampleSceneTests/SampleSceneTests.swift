import ColorScience
import Raster
import RawModel
import SampleScene
import Testing

@Suite struct SampleSceneTests {
  private static let size = PixelSize(width: 640, height: 480)

  /// The plain DNG arithmetic (ForwardMatrix, as-shot neutral) on a patch's mean gets its colour back.
  @Test(arguments: [Orientation.up, .right]) func patchesHaveTheirColours(
    orientation: Orientation
  ) throws {
    let scene = SampleScene(size: Self.size, kind: .linear, orientation: orientation)
    let frame = try scene.frame(scheduler: TileScheduler(laneCount: 1))
    let toScene = try #require(SampleCamera().sceneToCamera.inverse)
    var worst = 0.0
    for (index, lab) in ColorCheckerPatches.lab.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: 6)
      let center = (u: 0.0675 + 0.068 * Double(column), v: 0.515 + 0.0815 * Double(row))
      let camera = mean(of: frame, u: center.u, v: center.v, orientation: orientation)
      let found = Lab(xyz: toScene * camera, white: .d50)
      worst = max(worst, found.ciede2000(to: lab))
    }
    #expect(worst < 1, "CIEDE2000")
  }

  /// A neutral of the scene gives the as-shot neutral in the camera.
  @Test func greyIsTheNeutral() throws {
    let camera = SampleCamera()
    guard case .neutral(let neutral) = camera.color.asShotWhite else {
      Issue.record("no neutral")
      return
    }
    #expect(neutral.max() == 1)
    let grey = camera.sceneToCamera * (0.18 * Chromaticity.d50.xyz)
    let ratio = grey / neutral
    #expect(abs(ratio.x - ratio.y) < 1e-9 && abs(ratio.z - ratio.y) < 1e-9)
    // White lies `headroom` under the clip.
    #expect(abs(ratio.y / 0.18 - 0.5.squareRoot()) < 1e-9)
    for calibration in camera.color.calibrations {
      let forward = try #require(calibration.forwardMatrix)
      let white = forward * Vector3(1, 1, 1)
      #expect((white - Chromaticity.d50.xyz).length < 1e-9)
    }
  }

  /// Mean and variance of a flat part of the wall are those of the noise model.
  @Test func noiseFollowsItsProfile() throws {
    let scene = SampleScene(size: Self.size, kind: .mosaic)
    let frame = try scene.frame(scheduler: TileScheduler(laneCount: 2))
    let expected = SampleCamera().sceneToCamera * (0.18 * Chromaticity.d50.xyz)
    for (row, column, channel) in [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)] {
      var values: [Double] = []
      // Between horizon and charts.
      for y in stride(from: 210 + row, to: 224, by: 2) {
        let samples = frame.samples.values(ofRow: y)
        for x in stride(from: column, to: 640, by: 2) {
          values.append((samples[x] - 512) / (16_383 - 512))
        }
      }
      let count = Double(values.count)
      let mean = values.reduce(0, +) / count
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
      let sigma = scene.noise.standardDeviation(signal: expected[channel])
      // Four standard errors of either.
      #expect(abs(mean - expected[channel]) < 4 * sigma / count.squareRoot())
      #expect(abs(variance / (sigma * sigma) - 1) < 4 * (2 / count).squareRoot())
    }
  }

  @Test func theSunClips() throws {
    let scene = SampleScene(size: Self.size, kind: .mosaic)
    let frame = try scene.frame(scheduler: TileScheduler(laneCount: 1))
    let row = frame.samples.values(ofRow: Int(0.17 * 480))
    let middle = Int(0.78 * 640)
    for x in middle - 8..<middle + 8 { #expect(row[x] == 16_383) }
  }

  @Test(arguments: [SampleScene.Kind.mosaic, .linear]) func samplesDoNotDependOnLanes(
    kind: SampleScene.Kind
  ) throws {
    let scene = SampleScene(size: PixelSize(width: 97, height: 61), kind: kind)
    let one = try scene.frame(scheduler: TileScheduler(laneCount: 1))
    let many = try scene.frame(scheduler: TileScheduler(laneCount: 5))
    for y in 0..<61 {
      let left = one.samples.values(ofRow: y)
      let right = many.samples.values(ofRow: y)
      #expect(left == right)
    }
  }

  /// The mean camera value of 9x9 pixels around a point of the upright picture.
  private func mean(
    of frame: borrowing RawFrame,
    u: Double,
    v: Double,
    orientation: Orientation
  ) -> Vector3 {
    let upright = orientation.turned(Self.size)
    let x = Int(u * Double(upright.width))
    let y = Int(v * Double(upright.height))
    var sum = Vector3()
    for dy in -4...4 {
      for dx in -4...4 {
        let stored =
          orientation == .right
          ? (x: y + dy, y: Self.size.height - 1 - (x + dx)) : (x: x + dx, y: y + dy)
        let row = frame.samples.values(ofRow: stored.y)
        for plane in 0..<3 {
          sum[plane] += (row[stored.x * 3 + plane] - 128) / (4095 - 128) / 81
        }
      }
    }
    return sum
  }
}
