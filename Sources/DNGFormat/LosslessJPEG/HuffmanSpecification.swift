/// A Huffman table as a DHT segment defines it (ITU-T T.81 annex C): checked to be a prefix code of
/// different categories of the lossless process.
struct HuffmanSpecification {
  /// Codes of each length, from 1 bit (index 0) to 16.
  let counts: [Int]
  /// The category of each code, shortest code first.
  let categories: [UInt8]

  /// Nil where the lengths are no prefix code, or a category is over 16 or stands there twice.
  init?(counts: [Int], categories: [UInt8]) {
    var free = 1
    for count in counts {
      // Codes that are left at this length; at most 2^16.
      free = 2 * free - count
      guard free >= 0 else { return nil }
    }
    var seen: UInt32 = 0
    for category in categories {
      guard category <= 16, seen & (1 << UInt32(category)) == 0 else { return nil }
      seen |= 1 << UInt32(category)
    }
    self.counts = counts
    self.categories = categories
  }
}
