/// The MD5s (RFC 1321) of eight messages of one length at the same time, one in each vector lane.
///
/// One MD5 is a chain of dependent steps that leaves most of a processor idle, 0.5 to 0.6 GB/s; eight
/// chains side by side in AVX2 registers take no longer than one. The DNG specification's digests, an
/// MD5 for each tile, have the parallel messages. Not for security.
package struct MD5Lanes {
  package typealias Words = SIMD8<UInt32>

  /// The number of messages.
  package static let laneCount = 8
  private static let blockWords = 16

  private var state = (
    Words(repeating: 0x6745_2301), Words(repeating: 0xEFCD_AB89), Words(repeating: 0x98BA_DCFE),
    Words(repeating: 0x1032_5476)
  )
  /// Words of a block that is not full yet.
  private var pending = [Words](repeating: Words(), count: blockWords)
  private var pendingCount = 0
  private var wordCount = 0

  /// Starts with eight empty messages.
  package init() {}

  /// Adds words to all messages: word w of each message, little endian, is `words[w]`.
  package mutating func update(_ words: Span<Words>) {
    wordCount += words.count
    var next = 0
    while next < words.count {
      if pendingCount == 0, next + Self.blockWords <= words.count {
        compress(words.extracting(next..<next + Self.blockWords))
        next += Self.blockWords
        continue
      }
      pending[pendingCount] = words[next]
      pendingCount += 1
      next += 1
      if pendingCount == Self.blockWords { compressPending() }
    }
  }

  /// The eight digests, by lane.
  package consuming func finalize() -> [MD5Digest] {
    let bitCount = UInt64(wordCount) * 32
    pending[pendingCount] = Words(repeating: 0x80)
    pendingCount += 1
    // The length takes the last two words of a block.
    if pendingCount > Self.blockWords - 2 {
      while pendingCount < Self.blockWords { appendZero() }
      compressPending()
    }
    while pendingCount < Self.blockWords - 2 { appendZero() }
    pending[pendingCount] = Words(repeating: UInt32(truncatingIfNeeded: bitCount))
    pending[pendingCount + 1] = Words(repeating: UInt32(truncatingIfNeeded: bitCount >> 32))
    compressPending()
    return (0..<Self.laneCount).map { lane in
      var bytes = SIMD16<UInt8>()
      let words = [state.0[lane], state.1[lane], state.2[lane], state.3[lane]]
      for (index, word) in words.enumerated() {
        for byte in 0..<4 {
          bytes[4 * index + byte] = UInt8(truncatingIfNeeded: word >> UInt32(8 * byte))
        }
      }
      return MD5Digest(storage: bytes)
    }
  }

  private mutating func appendZero() {
    pending[pendingCount] = Words()
    pendingCount += 1
  }

  private mutating func compressPending() {
    let block = pending
    compress(block.span)
    pendingCount = 0
  }

  /// The four rounds of RFC 1321 section 3.4 over one block.
  private mutating func compress(_ block: Span<Words>) {
    var (a, b, c, d) = state
    let sines = Self.sines.span
    for step in stride(from: 0, to: 16, by: 4) {
      a = mix(a, b, d ^ (b & (c ^ d)), block[step], sines[step], 7)
      d = mix(d, a, c ^ (a & (b ^ c)), block[step + 1], sines[step + 1], 12)
      c = mix(c, d, b ^ (d & (a ^ b)), block[step + 2], sines[step + 2], 17)
      b = mix(b, c, a ^ (c & (d ^ a)), block[step + 3], sines[step + 3], 22)
    }
    for step in stride(from: 16, to: 32, by: 4) {
      let word = 5 * step + 1
      a = mix(a, b, c ^ (d & (b ^ c)), block[word & 15], sines[step], 5)
      d = mix(d, a, b ^ (c & (a ^ b)), block[(word + 5) & 15], sines[step + 1], 9)
      c = mix(c, d, a ^ (b & (d ^ a)), block[(word + 10) & 15], sines[step + 2], 14)
      b = mix(b, c, d ^ (a & (c ^ d)), block[(word + 15) & 15], sines[step + 3], 20)
    }
    for step in stride(from: 32, to: 48, by: 4) {
      let word = 3 * step + 5
      a = mix(a, b, b ^ c ^ d, block[word & 15], sines[step], 4)
      d = mix(d, a, a ^ b ^ c, block[(word + 3) & 15], sines[step + 1], 11)
      c = mix(c, d, d ^ a ^ b, block[(word + 6) & 15], sines[step + 2], 16)
      b = mix(b, c, c ^ d ^ a, block[(word + 9) & 15], sines[step + 3], 23)
    }
    for step in stride(from: 48, to: 64, by: 4) {
      let word = 7 * step
      a = mix(a, b, c ^ (b | ~d), block[word & 15], sines[step], 6)
      d = mix(d, a, b ^ (a | ~c), block[(word + 7) & 15], sines[step + 1], 10)
      c = mix(c, d, a ^ (d | ~b), block[(word + 14) & 15], sines[step + 2], 15)
      b = mix(b, c, d ^ (c | ~a), block[(word + 21) & 15], sines[step + 3], 21)
    }
    state.0 &+= a
    state.1 &+= b
    state.2 &+= c
    state.3 &+= d
  }

  /// One step: `b + ((a + function + word + sine) rotated left)`.
  @inline(__always)
  private func mix(
    _ a: Words,
    _ b: Words,
    _ function: Words,
    _ word: Words,
    _ sine: UInt32,
    _ shift: UInt32
  ) -> Words {
    let sum = a &+ function &+ word &+ Words(repeating: sine)
    let left = sum &<< Words(repeating: shift)
    let right = sum &>> Words(repeating: 32 - shift)
    return b &+ (left | right)
  }

  /// floor(2^32 * |sin(i)|) for i from 1 to 64 (RFC 1321 section 3.4).
  private static let sines: [UInt32] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A,
    0xA830_4613, 0xFD46_9501, 0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE,
    0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821, 0xF61E_2562, 0xC040_B340,
    0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
    0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8,
    0x676F_02D9, 0x8D2A_4C8A, 0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C,
    0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70, 0x289B_7EC6, 0xEAA1_27FA,
    0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
    0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92,
    0xFFEF_F47D, 0x8584_5DD1, 0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1,
    0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
  ]
}
