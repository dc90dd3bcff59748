/// Random numbers of one row: the same wherever and in whatever order rows are computed.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct RowNoiseGenerator {
  private var state: UInt64

  init(seed: UInt64, row: Int) {
    state = Self.mix(seed &+ Self.mix(UInt64(truncatingIfNeeded: row)))
  }

  /// A number with mean 0 and variance 1, nearly normal and at most 3.46.
  ///
  /// The sum of four uniform 16-bit numbers (Irwin and Hall) needs no transcendental function.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    let bits = Self.mix(state)
    let low = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF)
    let sum = low + (bits >> 32 & 0xFFFF) + (bits >> 48)
    // Each of the four has mean 32,767.5 and variance (2^32 - 1) / 12.
    return (Double(sum) - 131_070) * Self.unitScale
  }

  private static let unitScale = (3.0 / 4_294_967_295).squareRoot()

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
