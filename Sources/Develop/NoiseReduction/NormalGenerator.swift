/// Normal numbers of mean 0 and variance 1 from a fixed seed, the same everywhere.
///
/// Sums of twelve uniform numbers less six, from SplitMix64 (G. L. Steele, D. Lea & C. H. Flood, "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014); beyond six deviations there is none.
struct NormalGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> Float {
    var sum: UInt64 = 0
    for _ in 0..<3 {
      let bits = word()
      sum += (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
    }
    return Float(sum) / 65536 - 6
  }

  private mutating func word() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
