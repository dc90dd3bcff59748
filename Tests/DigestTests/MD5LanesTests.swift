import Digest
import Testing

@Suite struct MD5LanesTests {
  /// Every lane equals OpenSSL's MD5 of its message, at every place of a block's end.
  @Test(arguments: [0, 1, 12, 13, 14, 15, 16, 17, 29, 30, 31, 32, 33, 100, 256])
  func lanesEqualOneByOne(wordCount: Int) {
    // Steps of an odd constant: every lane and word differs.
    var words: [MD5Lanes.Words] = []
    var number: UInt32 = 0
    for _ in 0..<wordCount {
      var word = MD5Lanes.Words()
      for lane in 0..<MD5Lanes.laneCount {
        number &+= 0x9E37_79B9
        word[lane] = number
      }
      words.append(word)
    }
    let expected = (0..<MD5Lanes.laneCount).map { lane in
      let bytes = words.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word[lane] >> UInt32(8 * $0)) }
      }
      return MD5.digest(of: bytes)
    }
    for part in [1, 3, 7, 16, 40, 1000] {
      var lanes = MD5Lanes()
      var start = 0
      while start < wordCount {
        let end = min(wordCount, start + part)
        lanes.update(words.span.extracting(start..<end))
        start = end
      }
      #expect(lanes.finalize() == expected, "parts of \(part) words")
    }
  }
}
