import Digest
import Testing

@Suite struct MD5LanesTests {
  /// Every lane equals OpenSSL's MD5 of its message, at every place of a block's end.
  @Test(arguments: [0, 1, 12, 13, 14, 15, 16, 17, 29, 30, 31, 32, 33, 100, 256])
  func lanesEqualOneByOne(wordCount: Int) {
    // Messages of different distances; steps of an odd constant, so that every word differs.
    var number: UInt32 = 0
    var memory: [UInt8] = [0xEE]
    var offsets: [Int] = []
    var messages: [[UInt8]] = []
    for lane in 0..<MD5Lanes.laneCount {
      memory += [UInt8](repeating: 0xEE, count: lane % 3)
      offsets.append(memory.count)
      var message: [UInt8] = []
      for _ in 0..<wordCount {
        number &+= 0x9E37_79B9
        message += (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
      }
      memory += message
      messages.append(message)
    }
    let expected = messages.map(MD5.digest(of:))
    for part in [1, 3, 7, 16, 40, 1000] {
      var lanes = MD5Lanes()
      var start = 0
      while start < wordCount {
        let end = min(wordCount, start + part)
        lanes.update(
          // UInt8 has no padding.
          unsafe memory.span.bytes,
          offsets: offsets.map { $0 + 4 * start },
          wordCount: end - start
        )
        start = end
      }
      #expect(lanes.finalize() == expected, "parts of \(part) words")
    }
  }
}
