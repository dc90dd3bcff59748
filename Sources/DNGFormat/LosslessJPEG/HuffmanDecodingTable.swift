/// Codes of one component, made to decode a whole difference with one look at 11 bits.
///
/// An entry of `lookup` belongs to the 11 bits ahead: a code and, for a category above 0, the first
/// of its extra bits, which is the difference's sign. Bits 0-7 hold the number of bits of code and
/// extra bits together; bits 16-31 hold what is to be added to those bits, taken as one number, to
/// give the difference modulo 2^16. Entry 0 stands for codes that are longer, for differences of more
/// than 28 bits (so that two fit in the 57 bits that are there) and for bits that are no code.
@safe
struct HuffmanDecodingTable {
  static let lookupBits = 11
  static let longestFastTotal = 28

  /// 2^11 entries, in memory that the lane owns.
  let lookup: UnsafeMutablePointer<UInt32>
  /// The first code of each length, at index 1 to 16.
  private var firstCode: [17 of UInt32] = .init(repeating: 0)
  /// Codes of each length.
  private var count: [17 of UInt32] = .init(repeating: 0)
  /// The index of the first code's category.
  private var firstIndex: [17 of UInt32] = .init(repeating: 0)
  private var categories: [17 of UInt8] = .init(repeating: 0)

  /// - Parameters:
  ///   - specification: A prefix code.
  ///   - lookup: Room for 2^11 entries that outlives the table.
  @unsafe
  init(_ specification: HuffmanSpecification, lookup: UnsafeMutablePointer<UInt32>) {
    unsafe self.lookup = lookup
    let size = 1 << Self.lookupBits
    unsafe lookup.update(repeating: 0, count: size)
    var code: UInt32 = 0
    var index = 0
    for length in 1...16 {
      firstCode[length] = code
      firstIndex[length] = UInt32(index)
      count[length] = UInt32(specification.counts[length - 1])
      for _ in 0..<specification.counts[length - 1] {
        let category = specification.categories[index]
        categories[index] = category
        unsafe fill(code: code, length: length, category: Int(category))
        code += 1
        index += 1
      }
      code <<= 1
    }
  }

  /// The category and the length of the code at the start of `bits` (16 of them, right-aligned), or
  /// nil where they are no code.
  func code(_ bits: UInt32) -> (category: Int, length: Int)? {
    for length in 1...16 {
      let offset = (bits >> UInt32(16 - length)) &- firstCode[length]
      if offset < count[length] {
        return (Int(categories[Int(firstIndex[length] + offset)]), length)
      }
    }
    return nil
  }

  @unsafe
  private func fill(code: UInt32, length: Int, category: Int) {
    // H.1.2.2: category 16 is the difference 32768 and has no extra bits.
    let extraBits = category == 16 ? 0 : category
    let total = length + extraBits
    guard total <= Self.longestFastTotal else { return }
    let codeValue = code << UInt32(extraBits)
    if extraBits == 0 {
      guard length <= Self.lookupBits else { return }
      let difference: UInt32 = category == 16 ? 32_768 : 0
      unsafe fill(prefix: code, length: length, total: total, adjustment: difference &- codeValue)
    } else {
      guard length < Self.lookupBits else { return }
      // A first extra bit of 0: the difference is negative, the bits count from -(2^category - 1).
      let negative = 0 &- ((1 as UInt32) << UInt32(extraBits) - 1)
      unsafe fill(
        prefix: code << 1,
        length: length + 1,
        total: total,
        adjustment: negative &- codeValue
      )
      unsafe fill(
        prefix: code << 1 | 1,
        length: length + 1,
        total: total,
        adjustment: 0 &- codeValue
      )
    }
  }

  /// All entries whose first `length` bits are `prefix`; they lie within the table, because the
  /// specification was checked to be a prefix code.
  @unsafe
  private func fill(prefix: UInt32, length: Int, total: Int, adjustment: UInt32) {
    let free = Self.lookupBits - length
    let entry = (adjustment & 0xFFFF) << 16 | UInt32(total)
    unsafe (lookup + Int(prefix) << free).update(repeating: entry, count: 1 << free)
  }
}
