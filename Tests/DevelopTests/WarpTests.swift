import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Lens corrections that move pixels, against a naive twin in double precision.
@Suite struct WarpTests {
  /// Where a pixel comes from, by the specification's formulas in units of the farthest corner.
  private typealias Map = (_ dx: Double, _ dy: Double, _ color: Int) -> (Double, Double)

  /// The picture through a map, by cubic convolution with a = -3/4.
  private static func warped(
    _ picture: LinearPicture,
    center: OpticalCenter,
    _ map: Map
  ) -> LinearPicture {
    let right = Double(picture.width - 1)
    let bottom = Double(picture.height - 1)
    let cx = center.x * right
    let cy = center.y * bottom
    let farX = max(cx, right - cx)
    let farY = max(cy, bottom - cy)
    let radius = (farX * farX + farY * farY).squareRoot()
    func kernel(_ x: Double) -> Double {
      let t = abs(x)
      if t < 1 { return 1.25 * t * t * t - 2.25 * t * t + 1 }
      return t < 2 ? -0.75 * (t * t * t - 5 * t * t + 8 * t - 4) : 0
    }
    return LinearPicture(picture.width, picture.height) { x, y in
      var result = Vector3(0, 0, 0)
      for color in 0..<3 {
        let (u, v) = map((Double(x) - cx) / radius, (Double(y) - cy) / radius, color)
        let sourceX = min(max(cx + radius * u, 0), right)
        let sourceY = min(max(cy + radius * v, 0), bottom)
        let column = Int(sourceX)
        let line = Int(sourceY)
        var sum = 0.0
        for j in -1...2 {
          for i in -1...2 {
            sum +=
              picture.clamped(column + i, line + j, color) * kernel(sourceX - Double(column + i))
              * kernel(sourceY - Double(line + j))
          }
        }
        result[color] = max(sum, 0)
      }
      return result
    }
  }

  private static func developed(
    _ picture: LinearPicture,
    _ operations: [Opcode.Operation],
    _ adjustments: DevelopAdjustments = .linear
  ) throws -> LinearPicture {
    let frame = try picture.frame { description in
      description.opcodeList3 = operations.map {
        Opcode(operation: $0, isOptional: false, isSkippedForPreview: false)
      }
    }
    return LinearPicture(
      try Development(
        frame,
        adjustments,
        depths: [.sixteen],
        tileSize: PixelSize(width: 40, height: 30)
      )
    )
  }

  private static let center = OpticalCenter(x: 0.45, y: 0.55)

  @Test func rectilinearOfEachPlane() throws {
    let picture = LinearPicture.texture(93, 71)
    let sets = [
      WarpRectilinear.Coefficients(radial: [0.97, 0.03, -0.02, 0.01], tangential: [0.01, -0.005]),
      WarpRectilinear.Coefficients(radial: [1, 0, 0, 0], tangential: [0, 0]),
      WarpRectilinear.Coefficients(radial: [1.02, -0.04, 0.01, 0], tangential: [0, 0.004]),
    ]
    let expected = Self.warped(picture, center: Self.center) { dx, dy, color in
      let set = sets[color]
      let r2 = dx * dx + dy * dy
      let f =
        set.radial[0] + set.radial[1] * r2 + set.radial[2] * r2 * r2 + set.radial[3] * r2 * r2 * r2
      let (t0, t1) = (set.tangential[0], set.tangential[1])
      return (
        f * dx + t0 * 2 * dx * dy + t1 * (r2 + 2 * dx * dx),
        f * dy + t1 * 2 * dx * dy + t0 * (r2 + 2 * dy * dy)
      )
    }
    let result = try Self.developed(
      picture,
      [.warpRectilinear(WarpRectilinear(sets: sets, center: Self.center))]
    )
    #expect(result.difference(from: expected) < 4e-4)
    // Green stays where it is, but for the intermediate's precision.
    let green = LinearPicture(93, 71) { x, y in
      Vector3(picture[x, y, 0], result[x, y, 1], picture[x, y, 2])
    }
    #expect(green.difference(from: picture) < 2e-4)
  }

  @Test(arguments: [false, true])
  func rectilinear2(isReciprocal: Bool) throws {
    let picture = LinearPicture.texture(80, 90)
    var radial = Array(repeating: 0.0, count: 15)
    radial[0] = 0.98
    radial[1] = 0.02
    radial[3] = -0.03
    radial[14] = 0.01
    let valid = 0.2...0.9
    let warp = WarpRectilinear2(
      sets: [.init(radial: radial, tangential: [0.002, 0], validRadius: valid)],
      center: Self.center,
      isReciprocal: isReciprocal
    )
    let expected = Self.warped(picture, center: Self.center) { dx, dy, _ in
      let r = (dx * dx + dy * dy).squareRoot()
      let held = min(max(r, valid.lowerBound), valid.upperBound)
      var power = 1.0
      var sum = 0.0
      for k in radial {
        sum += k * power
        power *= held
      }
      let f = isReciprocal ? 1 / sum : sum
      return (f * dx + 0.002 * 2 * dx * dy, f * dy + 0.002 * (r * r + 2 * dy * dy))
    }
    let result = try Self.developed(picture, [.warpRectilinear2(warp)])
    #expect(result.difference(from: expected) < 1e-3)
  }

  @Test func fisheye() throws {
    let picture = LinearPicture.texture(90, 80)
    let k = [0.9, 0.1, -0.02, 0.01]
    let expected = Self.warped(picture, center: Self.center) { dx, dy, _ in
      let r = (dx * dx + dy * dy).squareRoot()
      guard r > 0 else { return (0, 0) }
      let t = PortableMath.atan2(r, 1)
      let t3 = t * t * t
      let f = (k[0] * t + k[1] * t3 + k[2] * t3 * t * t + k[3] * t3 * t3 * t) / r
      return (f * dx, f * dy)
    }
    let result = try Self.developed(
      picture,
      [.warpFisheye(WarpFisheye(sets: [k], center: Self.center))]
    )
    #expect(result.difference(from: expected) < 1e-3)
  }

  /// Two warps in a row are resampled once: the way back goes through the second first.
  @Test func warpsInARow() throws {
    let picture = LinearPicture.texture(70, 60)
    func zoom(_ factor: Double) -> Opcode.Operation {
      .warpRectilinear(
        WarpRectilinear(
          sets: [.init(radial: [factor, 0, 0, 0], tangential: [0, 0])],
          center: OpticalCenter(x: 0.5, y: 0.5)
        )
      )
    }
    let twice = try Self.developed(picture, [zoom(0.8), zoom(1.25)])
    #expect(twice.difference(from: picture, border: 8) < 4e-4)
    // With something between them each is a pass of its own.
    let vignette = Opcode.Operation.fixVignetteRadial(
      FixVignetteRadial(
        coefficients: [0, 0, 0, 0, 0],
        center: OpticalCenter(x: 0.5, y: 0.5)
      )
    )
    let apart = try Self.developed(picture, [zoom(0.8), vignette, zoom(1.25)])
    #expect(apart.difference(from: picture, border: 8) < 0.02)
  }

  @Test func lensCorrectionCanBeTurnedOff() throws {
    let picture = LinearPicture.texture(60, 50)
    let warp = Opcode.Operation.warpRectilinear(
      WarpRectilinear(
        sets: [.init(radial: [0.8, 0, 0, 0], tangential: [0, 0])],
        center: OpticalCenter(x: 0.5, y: 0.5)
      )
    )
    var adjustments = DevelopAdjustments.linear
    adjustments.isLensCorrectionEnabled = false
    let off = try Self.developed(picture, [warp], adjustments)
    #expect(off.difference(from: picture) < 4e-5)
    #expect(try Self.developed(picture, [warp]).difference(from: picture) > 0.1)
    var description = TestFrame.description(60, 50, layout: .linear(planes: 3))
    description.opcodeList3 = [
      Opcode(operation: warp, isOptional: false, isSkippedForPreview: false)
    ]
    let settings = try DevelopSettings(resolving: adjustments, for: description)
    #expect(settings.skippedOpcodes == ["OpcodeList3 WarpRectilinear"])
  }

  /// A WarpRectilinear straight behind an optional WarpRectilinear2 is for readers that don't know that.
  @Test func olderWarpBehindANewerOneIsSkipped() throws {
    var radial = Array(repeating: 0.0, count: 15)
    radial[0] = 1
    let newer = Opcode.Operation.warpRectilinear2(
      WarpRectilinear2(
        sets: [.init(radial: radial, tangential: [0, 0], validRadius: 0...1)],
        center: OpticalCenter(x: 0.5, y: 0.5),
        isReciprocal: false
      )
    )
    let older = Opcode.Operation.warpRectilinear(
      WarpRectilinear(
        sets: [.init(radial: [0.5, 0, 0, 0], tangential: [0, 0])],
        center: OpticalCenter(x: 0.5, y: 0.5)
      )
    )
    let picture = LinearPicture.texture(50, 40)
    let frame = try picture.frame { description in
      description.opcodeList3 = [
        Opcode(operation: newer, isOptional: true, isSkippedForPreview: false),
        Opcode(operation: older, isOptional: false, isSkippedForPreview: false),
      ]
    }
    let settings = try DevelopSettings(resolving: .linear, for: frame.description)
    #expect(settings.skippedOpcodes == ["OpcodeList3 WarpRectilinear"])
    let result = LinearPicture(try Development(frame, .linear, depths: [.sixteen]))
    #expect(result.difference(from: picture) < 4e-4)
  }

  @Test(arguments: [
    (OpticalCenter(x: 9, y: 0.5), [1.0, 0, 0, 0], "has a centre outside the picture"),
    (OpticalCenter(x: 0.5, y: 0.5), [.infinity, 0, 0, 0], "has a factor that is not finite"),
  ])
  func unusableWarps(center: OpticalCenter, radial: [Double], reason: String) throws {
    let warp = WarpRectilinear(sets: [.init(radial: radial, tangential: [0, 0])], center: center)
    let error = DevelopError.opcodeUnusable(list: 3, name: "WarpRectilinear", reason: reason)
    #expect(throws: error) {
      _ = try Self.developed(LinearPicture.texture(20, 20), [.warpRectilinear(warp)])
    }
  }

  /// Absurd factors move pixels to the edge; nothing reads beyond the picture.
  @Test func absurdFactorsAreHarmless() throws {
    let warp = WarpRectilinear(
      sets: [.init(radial: [1e30, -1e38, 1e38, -1e38], tangential: [1e38, 1e38])],
      center: Self.center
    )
    _ = try Self.developed(LinearPicture.texture(40, 30), [.warpRectilinear(warp)])
  }
}
