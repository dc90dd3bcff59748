/// The MD5s (RFC 1321) of sixteen messages of one length at the same time, one in each vector lane.
///
/// One MD5 is a chain of dependent steps that leaves most of a processor idle, 0.5 to 0.6 GB/s. Eight
/// chains side by side in AVX2 registers take no longer than one, and two sets of eight in turn fill
/// the time in which a set waits for itself. The DNG specification's digests, an MD5 for each tile,
/// have the parallel messages. Not for security.
package struct MD5Lanes {
  typealias Words = SIMD16<UInt32>
  private typealias State = (Words, Words, Words, Words)

  /// The number of messages.
  package static let laneCount = 16
  private static let blockWords = 16

  private var state: State = (
    Words(repeating: 0x6745_2301), Words(repeating: 0xEFCD_AB89), Words(repeating: 0x98BA_DCFE),
    Words(repeating: 0x1032_5476)
  )
  /// Words of the block that comes next, the messages side by side.
  private var pending = [Words](repeating: Words(), count: blockWords)
  private var pendingCount = 0
  private var wordCount = 0

  /// Starts with sixteen empty messages.
  package init() {}

  /// Adds words to all messages, from where they stand in memory.
  ///
  /// - Parameters:
  ///   - memory: Initialised bytes in which all of them stand, little endian.
  ///   - offsets: Where the words of each message start.
  ///   - wordCount: The number of words of 32 bits for each message.
  /// - Precondition: All words stand within `memory`.
  package mutating func update(_ memory: RawSpan, offsets: [Int], wordCount: Int) {
    precondition(offsets.count == Self.laneCount, "an offset for each message")
    let last = memory.byteCount - 4 * wordCount
    precondition(wordCount >= 0 && offsets.allSatisfy { $0 >= 0 && $0 <= last }, "within memory")
    self.wordCount += wordCount
    var next = 0
    while next < wordCount {
      // All loads lie within the first `wordCount` words behind each offset.
      if pendingCount == 0, next + Self.blockWords <= wordCount {
        unsafe memory.withUnsafeBytes { memory in
          unsafe transposeBlock(memory, offsets, next: 4 * next)
        }
        state = Self.compress(state, pending.span)
        next += Self.blockWords
      } else {
        for (lane, offset) in offsets.enumerated() {
          // Any bits are a valid UInt32, and the load is bounds-checked.
          pending[pendingCount][lane] = unsafe UInt32(
            littleEndian: memory.unsafeLoadUnaligned(
              fromByteOffset: offset + 4 * next,
              as: UInt32.self
            )
          )
        }
        appendedWord()
        next += 1
      }
    }
  }

  /// Fills the block with the sixteen words that stand `next` bytes behind each offset.
  @unsafe
  private mutating func transposeBlock(
    _ memory: UnsafeRawBufferPointer,
    _ offsets: [Int],
    next: Int
  ) {
    unsafe pending.withUnsafeMutableBytes { block in
      guard let base = memory.baseAddress, let block = block.baseAddress else { return }
      for half in stride(from: 0, to: Self.laneCount, by: 8) {
        for word in stride(from: 0, to: Self.blockWords, by: 4) {
          let source = unsafe base + (next + 4 * word)
          // Messages j and j + 4 share a vector.
          let row0 = unsafe halves(source, offsets[half], offsets[half + 4])
          let row1 = unsafe halves(source, offsets[half + 1], offsets[half + 5])
          let row2 = unsafe halves(source, offsets[half + 2], offsets[half + 6])
          let row3 = unsafe halves(source, offsets[half + 3], offsets[half + 7])
          let (even01, odd01) = interleave(row0, row1)
          let (even23, odd23) = interleave(row2, row3)
          let target = unsafe block + 4 * (Self.laneCount * word + half)
          let rowByteCount = 4 * Self.laneCount
          unsafe target.storeBytes(of: joinLow(even01, even23), as: SIMD4<UInt64>.self)
          unsafe (target + rowByteCount).storeBytes(
            of: joinLow(odd01, odd23),
            as: SIMD4<UInt64>.self
          )
          unsafe (target + 2 * rowByteCount).storeBytes(
            of: joinHigh(even01, even23),
            as: SIMD4<UInt64>.self
          )
          unsafe (target + 3 * rowByteCount).storeBytes(
            of: joinHigh(odd01, odd23),
            as: SIMD4<UInt64>.self
          )
        }
      }
    }
  }

  /// The sixteen digests, by lane.
  package consuming func finalize() -> [MD5Digest] {
    let bitCount = UInt64(wordCount) * 32
    append(Words(repeating: 0x80))
    // The length takes the last two words of a block.
    while pendingCount != Self.blockWords - 2 { append(Words()) }
    append(Words(repeating: UInt32(truncatingIfNeeded: bitCount)))
    append(Words(repeating: UInt32(truncatingIfNeeded: bitCount >> 32)))
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

  private mutating func append(_ word: Words) {
    pending[pendingCount] = word
    appendedWord()
  }

  /// Counts a word that was put into the block, and takes a full block.
  private mutating func appendedWord() {
    pendingCount += 1
    guard pendingCount == Self.blockWords else { return }
    state = Self.compress(state, pending.span)
    pendingCount = 0
  }

  /// The four rounds of RFC 1321 section 3.4 over one block.
  ///
  /// Written out, so that each step has its word, shift and constant in the instructions. The
  /// constants are floor(2^32 * |sin(i)|) for i from 1 to 64.
  private static func compress(_ state: State, _ block: Span<Words>) -> State {
    precondition(block.count == blockWords, "a whole block")
    var (a, b, c, d) = state
    a = first(a, b, c, d, block[0], 0xD76A_A478, 7)
    d = first(d, a, b, c, block[1], 0xE8C7_B756, 12)
    c = first(c, d, a, b, block[2], 0x2420_70DB, 17)
    b = first(b, c, d, a, block[3], 0xC1BD_CEEE, 22)
    a = first(a, b, c, d, block[4], 0xF57C_0FAF, 7)
    d = first(d, a, b, c, block[5], 0x4787_C62A, 12)
    c = first(c, d, a, b, block[6], 0xA830_4613, 17)
    b = first(b, c, d, a, block[7], 0xFD46_9501, 22)
    a = first(a, b, c, d, block[8], 0x6980_98D8, 7)
    d = first(d, a, b, c, block[9], 0x8B44_F7AF, 12)
    c = first(c, d, a, b, block[10], 0xFFFF_5BB1, 17)
    b = first(b, c, d, a, block[11], 0x895C_D7BE, 22)
    a = first(a, b, c, d, block[12], 0x6B90_1122, 7)
    d = first(d, a, b, c, block[13], 0xFD98_7193, 12)
    c = first(c, d, a, b, block[14], 0xA679_438E, 17)
    b = first(b, c, d, a, block[15], 0x49B4_0821, 22)
    a = second(a, b, c, d, block[1], 0xF61E_2562, 5)
    d = second(d, a, b, c, block[6], 0xC040_B340, 9)
    c = second(c, d, a, b, block[11], 0x265E_5A51, 14)
    b = second(b, c, d, a, block[0], 0xE9B6_C7AA, 20)
    a = second(a, b, c, d, block[5], 0xD62F_105D, 5)
    d = second(d, a, b, c, block[10], 0x0244_1453, 9)
    c = second(c, d, a, b, block[15], 0xD8A1_E681, 14)
    b = second(b, c, d, a, block[4], 0xE7D3_FBC8, 20)
    a = second(a, b, c, d, block[9], 0x21E1_CDE6, 5)
    d = second(d, a, b, c, block[14], 0xC337_07D6, 9)
    c = second(c, d, a, b, block[3], 0xF4D5_0D87, 14)
    b = second(b, c, d, a, block[8], 0x455A_14ED, 20)
    a = second(a, b, c, d, block[13], 0xA9E3_E905, 5)
    d = second(d, a, b, c, block[2], 0xFCEF_A3F8, 9)
    c = second(c, d, a, b, block[7], 0x676F_02D9, 14)
    b = second(b, c, d, a, block[12], 0x8D2A_4C8A, 20)
    a = third(a, b, c, d, block[5], 0xFFFA_3942, 4)
    d = third(d, a, b, c, block[8], 0x8771_F681, 11)
    c = third(c, d, a, b, block[11], 0x6D9D_6122, 16)
    b = third(b, c, d, a, block[14], 0xFDE5_380C, 23)
    a = third(a, b, c, d, block[1], 0xA4BE_EA44, 4)
    d = third(d, a, b, c, block[4], 0x4BDE_CFA9, 11)
    c = third(c, d, a, b, block[7], 0xF6BB_4B60, 16)
    b = third(b, c, d, a, block[10], 0xBEBF_BC70, 23)
    a = third(a, b, c, d, block[13], 0x289B_7EC6, 4)
    d = third(d, a, b, c, block[0], 0xEAA1_27FA, 11)
    c = third(c, d, a, b, block[3], 0xD4EF_3085, 16)
    b = third(b, c, d, a, block[6], 0x0488_1D05, 23)
    a = third(a, b, c, d, block[9], 0xD9D4_D039, 4)
    d = third(d, a, b, c, block[12], 0xE6DB_99E5, 11)
    c = third(c, d, a, b, block[15], 0x1FA2_7CF8, 16)
    b = third(b, c, d, a, block[2], 0xC4AC_5665, 23)
    a = fourth(a, b, c, d, block[0], 0xF429_2244, 6)
    d = fourth(d, a, b, c, block[7], 0x432A_FF97, 10)
    c = fourth(c, d, a, b, block[14], 0xAB94_23A7, 15)
    b = fourth(b, c, d, a, block[5], 0xFC93_A039, 21)
    a = fourth(a, b, c, d, block[12], 0x655B_59C3, 6)
    d = fourth(d, a, b, c, block[3], 0x8F0C_CC92, 10)
    c = fourth(c, d, a, b, block[10], 0xFFEF_F47D, 15)
    b = fourth(b, c, d, a, block[1], 0x8584_5DD1, 21)
    a = fourth(a, b, c, d, block[8], 0x6FA8_7E4F, 6)
    d = fourth(d, a, b, c, block[15], 0xFE2C_E6E0, 10)
    c = fourth(c, d, a, b, block[6], 0xA301_4314, 15)
    b = fourth(b, c, d, a, block[13], 0x4E08_11A1, 21)
    a = fourth(a, b, c, d, block[4], 0xF753_7E82, 6)
    d = fourth(d, a, b, c, block[11], 0xBD3A_F235, 10)
    c = fourth(c, d, a, b, block[2], 0x2AD7_D2BB, 15)
    b = fourth(b, c, d, a, block[9], 0xEB86_D391, 21)
    return (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}

private typealias Words = MD5Lanes.Words

// The steps. What does not wait for `b`, the result of the step before, is added up first.

@inline(__always)
private func first(
  _ a: Words,
  _ b: Words,
  _ c: Words,
  _ d: Words,
  _ word: Words,
  _ sine: UInt32,
  _ shift: UInt32
) -> Words {
  let sum = a &+ word &+ Words(repeating: sine)
  let function = d ^ (b & (c ^ d))
  return rotate(sum &+ function, shift) &+ b
}

@inline(__always)
private func second(
  _ a: Words,
  _ b: Words,
  _ c: Words,
  _ d: Words,
  _ word: Words,
  _ sine: UInt32,
  _ shift: UInt32
) -> Words {
  // (b and d) or (c and not d): the two have no bit in common, so that their sum is their union.
  let sum = a &+ word &+ Words(repeating: sine) &+ (c & ~d)
  return rotate(sum &+ (b & d), shift) &+ b
}

@inline(__always)
private func third(
  _ a: Words,
  _ b: Words,
  _ c: Words,
  _ d: Words,
  _ word: Words,
  _ sine: UInt32,
  _ shift: UInt32
) -> Words {
  let sum = a &+ word &+ Words(repeating: sine)
  let function = b ^ (c ^ d)
  return rotate(sum &+ function, shift) &+ b
}

@inline(__always)
private func fourth(
  _ a: Words,
  _ b: Words,
  _ c: Words,
  _ d: Words,
  _ word: Words,
  _ sine: UInt32,
  _ shift: UInt32
) -> Words {
  let sum = a &+ word &+ Words(repeating: sine)
  let function = c ^ (b | ~d)
  return rotate(sum &+ function, shift) &+ b
}

@inline(__always)
private func rotate(_ words: Words, _ count: UInt32) -> Words {
  let left = words &<< Words(repeating: count)
  let right = words &>> Words(repeating: 32 - count)
  return left | right
}

/// The 16 bytes at each of two offsets.
@unsafe @inline(__always)
private func halves(_ base: UnsafeRawPointer, _ low: Int, _ high: Int) -> SIMD4<UInt64> {
  unsafe SIMD4(
    lowHalf: (base + low).loadUnaligned(as: SIMD2<UInt64>.self),
    highHalf: (base + high).loadUnaligned(as: SIMD2<UInt64>.self)
  )
}

/// The even and the odd words of two vectors, those of `a` lower.
@inline(__always)
private func interleave(
  _ a: SIMD4<UInt64>,
  _ b: SIMD4<UInt64>
) -> (even: SIMD4<UInt64>, odd: SIMD4<UInt64>) {
  let low = SIMD4<UInt64>(repeating: 0xFFFF_FFFF)
  let shift = SIMD4<UInt64>(repeating: 32)
  return ((a & low) | (b &<< shift), (a &>> shift) | (b & ~low))
}

/// The lower numbers of each half of two vectors.
@inline(__always)
private func joinLow(_ a: SIMD4<UInt64>, _ b: SIMD4<UInt64>) -> SIMD4<UInt64> {
  SIMD4(a[0], b[0], a[2], b[2])
}

/// The higher numbers of each half of two vectors.
@inline(__always)
private func joinHigh(_ a: SIMD4<UInt64>, _ b: SIMD4<UInt64>) -> SIMD4<UInt64> {
  SIMD4(a[1], b[1], a[3], b[3])
}
