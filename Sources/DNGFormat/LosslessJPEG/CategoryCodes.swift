/// The number of bits of a difference's magnitude: its category, SSSS in T.81 H.1.2.2, 0 to 16.
@inline(__always)
func differenceCategory(_ difference: Int16) -> Int {
  16 - difference.magnitude.leadingZeroBitCount
}

/// What is emitted for a difference of each category of each component.
struct CategoryCodes {
  /// The code of one category with room for the extra bits below it.
  struct Code: BitwiseCopyable {
    var bits: UInt32
    /// Which bits of the difference follow the code: none for category 16, which has one member.
    var extraMask: UInt16
    /// Code and extra bits together, at most 31.
    var length: UInt16
  }

  /// Entries of one component.
  static let stride = OptimalHuffmanCode.symbolCount

  /// By component, then category. (Not inline arrays: reading an element would copy all of one.)
  let codes: [Code]
  /// The most bits that one difference takes.
  let longest: Int

  init(_ tables: [OptimalHuffmanCode]) {
    codes = tables.flatMap { table in
      (0..<Self.stride).map { category in
        let extraBits = category == 16 ? 0 : category
        let length = table.lengths[category]
        return Code(
          bits: UInt32(table.codes[category]) << UInt32(extraBits),
          extraMask: UInt16((1 << extraBits) - 1),
          length: length == 0 ? 0 : UInt16(length) + UInt16(extraBits)
        )
      }
    }
    longest = codes.reduce(0) { max($0, Int($1.length)) }
  }
}
