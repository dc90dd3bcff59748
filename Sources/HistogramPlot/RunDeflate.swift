/// Deflate (RFC 1951) of runs: bytes with the fixed Huffman code, and repetitions of the byte before.
///
/// Filtered rows of a plot are runs of zeros, and no more than this is needed to make them small.
struct RunDeflate {
  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// A zlib stream (RFC 1950) of the data.
  static func zlib(_ data: [UInt8]) -> [UInt8] {
    var deflate = RunDeflate()
    // The last block, of the fixed code.
    deflate.put(1, bits: 1)
    deflate.put(1, bits: 2)
    var index = 0
    while index < data.count {
      var length = 0
      if index > 0 {
        let limit = min(258, data.count - index)
        while length < limit, data[index + length] == data[index - 1] { length += 1 }
      }
      if length >= 3 {
        deflate.putRun(length)
        index += length
      } else {
        deflate.putSymbol(Int(data[index]))
        index += 1
      }
    }
    deflate.putSymbol(256)
    if deflate.pendingBits > 0 { deflate.bytes.append(UInt8(truncatingIfNeeded: deflate.pending)) }
    let checksum = adler32(data)
    // Deflate with a window of 32 KiB, the fastest level.
    return [0x78, 0x01] + deflate.bytes
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> UInt32($0)) }
  }

  /// Puts the lowest bits of a value, the lowest first.
  private mutating func put(_ value: UInt32, bits: Int) {
    pending |= value << UInt32(pendingBits)
    pendingBits += bits
    while pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Puts a Huffman code, its highest bit first.
  private mutating func putCode(_ code: Int, bits: Int) {
    for bit in (0..<bits).reversed() { put(UInt32(code >> bit & 1), bits: 1) }
  }

  /// A literal or length symbol of the fixed code (RFC 1951, 3.2.6).
  private mutating func putSymbol(_ symbol: Int) {
    switch symbol {
    case ..<144: putCode(0x30 + symbol, bits: 8)
    case ..<256: putCode(0x190 + symbol - 144, bits: 9)
    case ..<280: putCode(symbol - 256, bits: 7)
    default: putCode(0xC0 + symbol - 280, bits: 8)
    }
  }

  /// The byte before, 3 to 258 times: a length symbol with its extra bits, and distance 1.
  private mutating func putRun(_ length: Int) {
    if length == 258 {
      putSymbol(285)
    } else {
      // Four symbols for each number of extra bits (RFC 1951, 3.2.5), after the first eight.
      let offset = length - 3
      let extra = offset < 8 ? 0 : Int.bitWidth - offset.leadingZeroBitCount - 3
      putSymbol(257 + 4 * extra + offset >> extra)
      put(UInt32(offset & (1 << extra - 1)), bits: extra)
    }
    putCode(0, bits: 5)
  }

  private static func adler32(_ data: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
