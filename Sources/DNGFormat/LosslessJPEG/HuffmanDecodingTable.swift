/// Codes of one component, made to decode a whole difference with one look at 9 bits.
///
/// An entry belongs to the 9 bits ahead: a code and, for a category above 0, the first of its extra
/// bits, which is the difference's sign. Its first byte is the number of bits of code and extra bits
/// together, its second 64 less that; the upper half is what is to be added to those bits, taken as one
/// number, to give the difference modulo 2^16. A number of 64 bits stands for codes that are longer, for
/// differences of more than 19 bits (so that three fit in the 57 bits that are there) and for bits that
/// are no code. Those are decoded by the limits behind the entries.
///
/// Two differences in a thousand of camera raws have a longer code. More bits would make such codes
/// rarer, but the tables of the tiles that take turns are to leave most of a first-level cache of 32
/// KiB to the scans and samples.
enum HuffmanDecodingTable {
  static let lookupBits = 9
  static let longestFastTotal = 19
  /// The bits of an entry that is no difference; no sum of others has this bit.
  static let slow: UInt64 = 64

  /// The end of the codes of each length, left-aligned in 16 bits, at index 1 to 16.
  private static let limits = 1 << lookupBits
  /// What is to be added to a code of each length to give the place of its category.
  private static let bases = limits + 17
  /// The categories in the order of their codes.
  private static let categories = bases + 17
  /// Numbers of 32 bits that a table takes; a multiple of a cache line.
  static let size = (categories + 17 + 15) / 16 * 16

  /// Writes the table of a prefix code.
  ///
  /// - Parameters:
  ///   - table: Room for `size` numbers.
  ///   - specification: The code.
  @unsafe
  static func fill(
    _ table: UnsafeMutablePointer<UInt32>,
    _ specification: HuffmanSpecification
  ) {
    unsafe table.update(repeating: UInt32(slow), count: 1 << lookupBits)
    unsafe (table + limits).update(repeating: 0, count: size - limits)
    var code: UInt32 = 0
    var index = 0
    for length in 1...16 {
      unsafe table[bases + length] = UInt32(index) &- code
      for _ in 0..<specification.counts[length - 1] {
        let category = specification.categories[index]
        unsafe table[categories + index] = UInt32(category)
        unsafe fill(table, code: code, length: length, category: Int(category))
        code += 1
        index += 1
      }
      unsafe table[limits + length] = code << UInt32(16 - length)
      code <<= 1
    }
  }

  /// A difference by its entry.
  ///
  /// - Parameters:
  ///   - bits: The bits ahead, left-aligned: at least `longestFastTotal`.
  ///   - tables: Memory of tables.
  ///   - table: Where in it `fill` wrote the table; a constant where the code is inlined.
  /// - Returns: The difference modulo 2^16 and its bits; anything and `slow` where it takes
  ///   `longDifference`.
  @unsafe @inline(__always)
  static func difference(
    _ bits: UInt64,
    _ tables: UnsafePointer<UInt32>,
    _ table: Int
  ) -> (difference: UInt16, total: UInt64) {
    let index = Int(truncatingIfNeeded: bits &>> UInt64(64 - lookupBits))
    // An index of 9 bits. Each part is loaded for itself: processors have more loads to spare than
    // shifts.
    let entry = unsafe UnsafeRawPointer(tables + (table &+ index))
    let total = unsafe entry.load(as: UInt8.self)
    let rest = unsafe entry.load(fromByteOffset: 1, as: UInt8.self)
    let adjustment = unsafe entry.load(fromByteOffset: 2, as: UInt16.self)
    let value = UInt16(truncatingIfNeeded: bits &>> UInt64(rest))
    return (value &+ adjustment, UInt64(total))
  }

  /// A difference by the length of its code.
  ///
  /// - Parameters:
  ///   - bits: The bits ahead, left-aligned: at least the 31 that code and extra bits can have.
  ///   - tables: Memory in which tables stand.
  ///   - start: Where in it `fill` wrote the table.
  /// - Returns: The difference modulo 2^16 and its bits; 2^16 and 16 bits where it is no code.
  @unsafe @inline(never)
  static func longDifference(
    _ bits: UInt64,
    _ tables: UnsafePointer<UInt32>,
    _ start: Int
  ) -> (difference: UInt32, total: Int) {
    let table = unsafe tables + start
    let ahead = UInt32(truncatingIfNeeded: bits >> 48)
    // Codes of one length follow those that are shorter, so that the limits ascend.
    let ends = unsafe UnsafeRawPointer(table + limits + 1).loadUnaligned(as: SIMD16<UInt32>.self)
    let isLonger = SIMD16<UInt32>(repeating: ahead) .>= ends
    let length = 1 + Int(SIMD16<UInt32>().replacing(with: 1, where: isLonger).wrappedSum())
    guard length <= 16 else { return (1 << 16, 16) }
    // One of the categories: the code is below its limit and not below that of the length before.
    let index = unsafe (ahead >> UInt32(16 - length)) &+ table[bases + length]
    let category = unsafe Int(table[categories + Int(index)])
    guard category > 0 else { return (0, length) }
    guard category < 16 else { return (32_768, length) }
    let extra = UInt32(truncatingIfNeeded: (bits << UInt64(length)) >> UInt64(64 - category))
    let isNegative = extra >> UInt32(category - 1) == 0
    let difference = isNegative ? extra &- ((1 as UInt32) << UInt32(category) - 1) : extra
    return (difference & 0xFFFF, length + category)
  }

  @unsafe
  private static func fill(
    _ table: UnsafeMutablePointer<UInt32>,
    code: UInt32,
    length: Int,
    category: Int
  ) {
    // H.1.2.2: category 16 is the difference 32768 and has no extra bits.
    let extraBits = category == 16 ? 0 : category
    let total = length + extraBits
    guard total <= longestFastTotal else { return }
    let codeValue = code << UInt32(extraBits)
    if extraBits == 0 {
      guard length <= lookupBits else { return }
      let difference: UInt32 = category == 16 ? 32_768 : 0
      unsafe fill(
        table,
        prefix: code,
        length: length,
        total: total,
        adjustment: difference &- codeValue
      )
    } else {
      guard length < lookupBits else { return }
      // A first extra bit of 0: the difference is negative, the bits count from -(2^category - 1).
      let negative = 0 &- ((1 as UInt32) << UInt32(extraBits) - 1)
      unsafe fill(
        table,
        prefix: code << 1,
        length: length + 1,
        total: total,
        adjustment: negative &- codeValue
      )
      unsafe fill(
        table,
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
  private static func fill(
    _ table: UnsafeMutablePointer<UInt32>,
    prefix: UInt32,
    length: Int,
    total: Int,
    adjustment: UInt32
  ) {
    let free = lookupBits - length
    let entry = (adjustment & 0xFFFF) << 16 | UInt32(64 - total) << 8 | UInt32(total)
    unsafe (table + Int(prefix) << free).update(repeating: entry, count: 1 << free)
  }
}
