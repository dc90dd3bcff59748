internal import CLanes

/// Eight samples that kernels work on at once: one AVX register.
typealias Lanes = SIMD8<Float>

/// Lanes as bit patterns.
typealias BitLanes = SIMD8<UInt32>

extension SIMD8<Float> {
  /// Samples in a vector.
  @inline(__always)
  static var laneCount: Int { 8 }

  /// A constant of a kernel in all lanes.
  ///
  /// Not inlined: where the optimizer sees that lanes are equal it computes some of them as scalars, and
  /// puts vectors together from pieces in the loop.
  @inline(never)
  static func constant(_ value: Float) -> Self { Self(repeating: value) }

  /// Without the sign.
  @inline(__always)
  var magnitude: Self {
    Self(bits: bits & BitLanes(repeating: 0x7FFF_FFFF))
  }

  @inline(__always)
  var bits: BitLanes {
    // Both are 32 bytes without padding.
    unsafe unsafeBitCast(self, to: BitLanes.self)
  }

  @inline(__always)
  init(bits: BitLanes) {
    self = unsafe unsafeBitCast(bits, to: Self.self)
  }

  /// The smaller of each pair; this one where either is not a number.
  ///
  /// The library's `pointwiseMin` calls a function for each lane.
  @inline(__always)
  func minimum(_ other: Self) -> Self {
    rawmill_minimum(self, other)
  }

  /// The larger of each pair; this one where either is not a number.
  @inline(__always)
  func maximum(_ other: Self) -> Self {
    rawmill_maximum(self, other)
  }

  @inline(__always)
  func clamped(_ low: Float, _ high: Float) -> Self {
    maximum(Self(repeating: low)).minimum(Self(repeating: high))
  }

  /// Whether any lane has its sign bit set.
  ///
  /// The library's `any` and `min` go lane by lane.
  @inline(__always)
  var hasNegative: Bool {
    // Four words of two lanes each.
    let words = unsafe unsafeBitCast(bits, to: SIMD4<UInt64>.self)
    let joined = (words[0] | words[1]) | (words[2] | words[3])
    return joined & 0x8000_0000_8000_0000 != 0
  }

  /// Within 0 and 1, and 0 for what is not a number: what indexes a table must be bounded for any input.
  @inline(__always)
  var unitClamped: Self {
    Self(repeating: 0).replacing(with: self, where: self .> 0).minimum(Self(repeating: 1))
  }

  /// Unsigned integers under 2^23 as floats, exactly: their bits fill the significand of 2^23.
  @inline(__always)
  init(exactly integers: BitLanes) {
    let magic = BitLanes(repeating: 0x4B00_0000)
    self = Self(bits: integers | magic) - Self(repeating: 8_388_608)
  }
}
