import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// One scene in four CFA phases and eight orientations is one picture.
@Suite struct SamePictureTests {
  private static let width = 72
  private static let height = 52

  /// The scene as it is seen: soft texture and hard edges, in 16-bit codes of a filter colour.
  private static func code(_ x: Int, _ y: Int, _ color: Int) -> UInt16 {
    let u = Double(x)
    let v = Double(y)
    let wave = PortableMath.sin(u / 3.1 + Double(color)) * PortableMath.cos(v / 4.3 - u / 9)
    let edge = (x + 2 * y) / 23 % 2 == 0 ? 0.2 : 0.55
    return UInt16((edge + 0.15 * wave + 0.03 * Double(color)) * 60_000)
  }

  private static func adjustments() -> DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    adjustments.luminanceNoiseReductionAmount = 0.3
    adjustments.sharpnessAmount = 0.4
    adjustments.despeckleAmount = 0.5
    return adjustments
  }

  /// The active area begins at each photosite of the cell; the same photosites are shown.
  @Test(arguments: [(0, 0), (1, 0), (0, 1), (1, 1)])
  func phases(left: Int, top: Int) throws {
    func developed(_ left: Int, _ top: Int) throws -> Development {
      let pattern = try #require(
        CFAPattern.allCases.first { pattern in
          pattern.colors
            == [(0, 0), (1, 0), (0, 1), (1, 1)].map {
              CFAPattern.rggb.colors[2 * ((top + $0.1) & 1) + (left + $0.0) & 1]
            }
        }
      )
      var description = TestFrame.description(
        Self.width,
        Self.height,
        layout: .mosaic(pattern),
        color: TestFrame.nikon
      )
      description.activeArea = Region(
        left: left,
        top: top,
        width: Self.width - left,
        height: Self.height - top
      )
      // Within what the picture's edges reach.
      description.defaultCrop = DefaultCrop(
        originX: Double(20 - left),
        originY: Double(20 - top),
        width: 30,
        height: 12
      )
      let frame = try TestFrame.frame(description) { x, y in
        Self.code(x, y, CFAPattern.rggb.colors[2 * (y & 1) + x & 1])
      }
      var adjustments = DevelopAdjustments()
      adjustments.despeckleAmount = 0.5
      return try Development(frame, adjustments, depths: [.sixteen])
    }
    #expect(try developed(left, top) == developed(0, 0))
  }

  /// The stored frame is the scene turned, so that its orientation turns it back.
  ///
  /// Rows and columns change places, so that sums are rounded otherwise: a code at the most, and more where
  /// two directions are as good as each other.
  @Test(arguments: Orientation.allCases)
  func orientations(orientation: Orientation) throws {
    let seen = PixelSize(width: Self.width, height: Self.height)
    let stored = orientation.turned(seen)
    func color(_ x: Int, _ y: Int) -> Int {
      let (u, v) = orientation.place(x, y, in: stored)
      return CFAPattern.rggb.colors[2 * (v & 1) + u & 1]
    }
    let pattern = try #require(
      CFAPattern.allCases.first {
        $0.colors == [color(0, 0), color(1, 0), color(0, 1), color(1, 1)]
      }
    )
    let upright = try Development(
      try TestFrame.frame(
        TestFrame.description(
          seen.width,
          seen.height,
          layout: .mosaic(.rggb),
          color: TestFrame.nikon
        )
      ) { x, y in Self.code(x, y, CFAPattern.rggb.colors[2 * (y & 1) + x & 1]) },
      Self.adjustments(),
      depths: [.sixteen]
    )
    let turned = try Development(
      try TestFrame.frame(
        TestFrame.description(
          stored.width,
          stored.height,
          layout: .mosaic(pattern),
          color: TestFrame.nikon,
          orientation: orientation
        )
      ) { x, y in
        let (u, v) = orientation.place(x, y, in: stored)
        return Self.code(u, v, color(x, y))
      },
      Self.adjustments(),
      depths: [.sixteen]
    )
    #expect(turned.width == upright.width && turned.height == upright.height)
    var others = 0
    for (a, b) in zip(turned.sixteen, upright.sixteen) where abs(Int(a) - Int(b)) > 2 {
      others += 1
    }
    #expect(others * 200 < upright.sixteen.count, "\(others) of \(upright.sixteen.count)")
  }

  /// LinearRaw and mosaic of one photograph agree after averaging.
  ///
  /// A colour between two of its samples is off by at most half the curvature of the light, here
  /// (0.25/22² + 0.25/18²) / 2 of white, and the curve of the defaults is nowhere steeper than 2: 85 codes.
  @Test func mosaicAndLinearRaw() throws {
    let hue = [0.8, 1, 0.7]
    func light(_ x: Int, _ y: Int, _ color: Int) -> UInt16 {
      let wave = PortableMath.sin(Double(x) / 22) * PortableMath.cos(Double(y) / 18)
      return UInt16((0.4 + 0.25 * wave) * hue[color] * 60_000)
    }
    let side = 96
    let mosaic = try Development(
      try TestFrame.frame(
        TestFrame.description(side, side, layout: .mosaic(.grbg), color: TestFrame.nikon)
      ) { x, y in light(x, y, CFAPattern.grbg.colors[2 * (y & 1) + x & 1]) },
      DevelopAdjustments(),
      depths: [.sixteen]
    )
    let linear = try Development(
      try TestFrame.frame(
        TestFrame.description(side, side, layout: .linear(planes: 3), color: TestFrame.nikon)
      ) { sample, y in light(sample / 3, y, sample % 3) },
      DevelopAdjustments(),
      depths: [.sixteen]
    )
    for top in stride(from: 8, to: side - 8, by: 8) {
      for left in stride(from: 8, to: side - 8, by: 8) {
        for color in 0..<3 {
          var sums = (0, 0)
          for y in top..<(top + 8) {
            for x in left..<(left + 8) {
              sums.0 += mosaic.pixel(x, y)[color]
              sums.1 += linear.pixel(x, y)[color]
            }
          }
          #expect(abs(sums.0 - sums.1) < 64 * 85, "block \(left), \(top)")
        }
      }
    }
  }
}
