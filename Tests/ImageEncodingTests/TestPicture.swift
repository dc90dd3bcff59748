import Raster

/// Pictures made from a seed, so that a failure can be repeated.
enum TestPicture {
  /// Smooth colour, a few hard edges and noise of a few codes: what an encoder gets from a photograph.
  static func photograph(width: Int, height: Int, seed: UInt64 = 1) throws -> Plane<UInt8> {
    var generator = SplitMix64(state: seed)
    var plane = try Plane<UInt8>(width: 3 * width, height: height)
    for y in 0..<height {
      plane.withMutableRow(y) { row in
        for x in 0..<width {
          let isInside = (x / 40 + y / 56) % 5 == 0
          let noise = Int(generator.next() % 5) - 2
          let red = 40 + 150 * x / max(1, width) + (isInside ? 25 : 0)
          let green = 60 + 120 * y / max(1, height) + (isInside ? 25 : 0)
          let blue = 90 + 60 * (x + y) / max(1, width + height) + (isInside ? 25 : 0)
          row[3 * x] = UInt8(red + noise)
          row[3 * x + 1] = UInt8(green + noise)
          row[3 * x + 2] = UInt8(blue + noise)
        }
      }
    }
    return plane
  }

  /// Every sample random.
  static func noise<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ type: Sample.Type,
    width: Int,
    height: Int,
    seed: UInt64 = 1
  ) throws -> Plane<Sample> {
    var generator = SplitMix64(state: seed)
    var plane = try Plane<Sample>(width: 3 * width, height: height)
    for y in 0..<height {
      plane.withMutableRow(y) { row in
        for index in 0..<3 * width { row[index] = Sample(truncatingIfNeeded: generator.next()) }
      }
    }
    return plane
  }

  /// The samples row by row without padding, little-endian.
  static func bytes<Sample: BitwiseCopyable>(of plane: borrowing Plane<Sample>) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<plane.height {
      plane.withRow(y) { row in
        unsafe row.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }
}

/// Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators".
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
