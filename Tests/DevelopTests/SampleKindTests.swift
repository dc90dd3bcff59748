import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Stored samples of 32 bits and floating point give the picture of the same light in 16 bits.
@Suite struct SampleKindTests {
  @Test(
    arguments: [
      SampleLayout.mosaic(.gbrg), .linear(planes: 3), .linear(planes: 1),
    ],
    [StoredSamples.Kind.uint32, .float32]
  )
  func sameLight(layout: SampleLayout, kind: StoredSamples.Kind) throws {
    // Clipped highlights too, which are looked for in stored samples.
    for adjustments in [DevelopAdjustments.linear, DevelopAdjustments()] {
      try Self.compare(layout, kind, adjustments)
    }
  }

  private static func compare(
    _ layout: SampleLayout,
    _ kind: StoredSamples.Kind,
    _ adjustments: DevelopAdjustments
  ) throws {
    var description = TestFrame.description(51, 38, layout: layout, white: 60000, black: 512)
    description.activeArea = Region(left: 3, top: 1, width: 47, height: 36)
    description.defaultCrop = DefaultCrop(originX: 0, originY: 0, width: 47, height: 36)
    let frame = try TestFrame.noise(description, seed: 5)
    let expected = try Development(frame, adjustments)
    // 32-bit codes a power of two apart, floats with white at 1: exact in both.
    let scale = kind == .uint32 ? 65536.0 : 1.0 / 65536
    var other = description
    other.whiteLevel = description.whiteLevel.map { $0 * scale }
    other.blackLevel = BlackLevel(
      repeatRows: 1,
      repeatColumns: 1,
      samplesPerPixel: layout.samplesPerPixel,
      values: description.blackLevel.values.map { $0 * scale }
    )
    let width = frame.samples.width
    let height = frame.samples.height
    let result: Development
    if kind == .uint32 {
      var plane = try Plane<UInt32>(width: width, height: height)
      for y in 0..<height {
        let values = frame.samples.values(ofRow: y)
        plane.withMutableRow(y) { row in
          for x in row.indices { row[x] = UInt32(values[x] * scale) }
        }
      }
      result = try Development(RawFrame(samples: .uint32(plane), description: other), adjustments)
    } else {
      var plane = try Plane<Float>(width: width, height: height)
      for y in 0..<height {
        let values = frame.samples.values(ofRow: y)
        plane.withMutableRow(y) { row in
          for x in row.indices { row[x] = Float(values[x] * scale) }
        }
      }
      result = try Development(RawFrame(samples: .float32(plane), description: other), adjustments)
    }
    #expect(result == expected)
  }

  /// What is not a number is black, and neither it nor infinities reach their neighbours.
  @Test func notNumbers() throws {
    let description = TestFrame.description(40, 30, layout: .linear(planes: 3), white: 1)
    var plane = try Plane<Float>(width: 120, height: 30)
    for y in 0..<30 {
      plane.withMutableRow(y) { row in
        for x in row.indices { row[x] = 0.25 }
        if y == 10 {
          row[30] = .nan
          row[60] = .infinity
          row[90] = -.infinity
        }
      }
    }
    let result = try Development(
      RawFrame(samples: .float32(plane), description: description),
      .linear
    )
    let plain = result.pixel(0, 0)
    for (x, expected) in [(10, 0), (20, 65535), (30, 0)] {
      #expect(abs(result.pixel(x, 10)[0] - expected) <= 1)
      #expect(result.pixel(x, 10)[1] == plain[1])
      #expect(result.pixel(x + 1, 10) == plain)
    }
  }
}
