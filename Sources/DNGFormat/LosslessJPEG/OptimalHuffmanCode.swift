/// The best prefix code for the difference categories 0 to 16 of one component, in JPEG's terms.
///
/// Code lengths come from the package-merge algorithm (Larmore and Hirschberg, "A fast algorithm for
/// optimal length-limited Huffman codes", Journal of the ACM 37, 1990) with JPEG's limit of 16 bits. A
/// symbol that never occurs takes part as the rarest one and gets the last code, the one of all ones,
/// which ITU-T T.81 (annex C) forbids to use.
package struct OptimalHuffmanCode: Sendable {
  /// The number of categories: a difference has 0 to 16 bits.
  package static let symbolCount = 17
  private static let lengthLimit = 16

  /// The bits of each symbol's code; 0 for symbols that don't occur.
  package private(set) var lengths: [17 of UInt8] = .init(repeating: 0)
  /// The code of each symbol, in its lowest bits.
  package private(set) var codes: [17 of UInt16] = .init(repeating: 0)

  /// The code for these numbers of occurrences.
  ///
  /// - Precondition: At least one count is above zero.
  package init(counts: [17 of UInt32]) {
    // The unused symbol stands first: rarest, so none has a longer code.
    var symbols: [(weight: UInt64, symbol: Int)] = [(0, Self.symbolCount)]
    for symbol in 0..<Self.symbolCount where counts[symbol] > 0 {
      symbols.append((UInt64(counts[symbol]), symbol))
    }
    precondition(symbols.count > 1, "no symbol occurs")
    symbols.sort { ($0.weight, $1.symbol) < ($1.weight, $0.symbol) }
    let depths = Self.packageMerge(weights: symbols.map(\.weight))
    for (depth, entry) in zip(depths, symbols) where entry.symbol < Self.symbolCount {
      lengths[entry.symbol] = depth
    }
    assignCodes()
  }

  /// The number of codes of each length from 1 to 16 (BITS in T.81).
  package var countsByLength: [UInt8] {
    var counts = [UInt8](repeating: 0, count: Self.lengthLimit)
    for symbol in 0..<Self.symbolCount where lengths[symbol] > 0 {
      counts[Int(lengths[symbol]) - 1] += 1
    }
    return counts
  }

  /// The symbols in the order of their codes (HUFFVAL in T.81).
  package var symbolsByCode: [UInt8] {
    (0..<Self.symbolCount).filter { lengths[$0] > 0 }
      .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
      .map { UInt8($0) }
  }

  /// T.81 annex C: codes of one length count up, longer codes go on from the shorter.
  private mutating func assignCodes() {
    var code: UInt16 = 0
    var length: UInt8 = 0
    for symbol in symbolsByCode {
      code <<= UInt16(lengths[Int(symbol)] - length)
      length = lengths[Int(symbol)]
      codes[Int(symbol)] = code
      code += 1
    }
  }

  /// The depth of each symbol in the best tree of at most 16 levels; weights ascend.
  ///
  /// A level's list merges the symbols with pairs of the level below; only which entries are symbols
  /// is kept, a bit each. In the deepest list the first 2n - 2 entries are taken; of every list the
  /// symbols taken are a prefix of the sorted symbols and cost one bit each.
  private static func packageMerge(weights: [UInt64]) -> [UInt8] {
    var isSymbol: [UInt64] = []
    var below: [UInt64] = []
    for _ in 0..<lengthLimit {
      var merged: [UInt64] = []
      var flags: UInt64 = 0
      var symbol = 0
      var pair = 0
      while symbol < weights.count || pair + 1 < below.count {
        let package = pair + 1 < below.count ? below[pair] + below[pair + 1] : .max
        if symbol < weights.count, weights[symbol] <= package {
          flags |= 1 << UInt64(merged.count)
          merged.append(weights[symbol])
          symbol += 1
        } else {
          merged.append(package)
          pair += 2
        }
      }
      isSymbol.append(flags)
      below = merged
    }
    var depths = [UInt8](repeating: 0, count: weights.count)
    var taken = 2 * weights.count - 2
    for flags in isSymbol.reversed() {
      let symbols = (flags & ((1 << UInt64(taken)) - 1)).nonzeroBitCount
      for index in 0..<symbols { depths[index] += 1 }
      taken = 2 * (taken - symbols)
    }
    return depths
  }
}
