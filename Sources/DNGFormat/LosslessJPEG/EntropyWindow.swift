/// The bits ahead at a place in an unstuffed scan, in registers.
///
/// After each pair of differences the bits ahead are loaded from behind the first of the two, while the
/// second is still looked up, so that nothing waits for them to come from memory.
@safe
struct EntropyWindow {
  /// The place: its byte's address times eight, and bits. (User space ends below 2^57.)
  private(set) var position: UInt
  /// The bits there, left-aligned: at least two differences of `longestFastTotal` bits.
  private var bits: UInt64

  /// Loads the bits at a place.
  ///
  /// The eight bytes there must be readable.
  @unsafe @inline(__always)
  init(position: UInt) {
    self.position = position
    bits = unsafe Self.load(position)
  }

  /// The place of a reader.
  static func position(_ reader: EntropyBitReader, _ scans: UnsafePointer<UInt8>) -> UInt {
    UInt(bitPattern: scans) << 3 + UInt(reader.position)
  }

  /// Takes two differences and gives the samples.
  ///
  /// A difference that is not in its table's entries makes both come from `long`.
  ///
  /// - Parameters:
  ///   - tables: Memory of tables as `HuffmanDecodingTable` makes them.
  ///   - first: Where in it the table of the first difference starts.
  ///   - second: That of the second.
  ///   - output: Gets two samples; `distance` in front of each stands its prediction.
  ///   - distance: The components.
  ///   - invalid: Bit 16 is set where bits are no code.
  @unsafe @inline(__always)
  mutating func takePair(
    _ tables: UnsafePointer<UInt32>,
    _ first: Int,
    _ second: Int,
    _ output: UnsafeMutablePointer<UInt16>,
    distance: Int,
    invalid: UnsafeMutablePointer<UInt32>
  ) {
    let (difference0, total0) = unsafe HuffmanDecodingTable.difference(bits, tables, first)
    let middle = position &+ UInt(truncatingIfNeeded: total0)
    // 57 bits at least: the second difference and two more.
    let next = unsafe Self.load(middle)
    unsafe output[0] = output[0 - distance] &+ difference0
    let (difference1, total1) = unsafe HuffmanDecodingTable.difference(
      bits &<< total0,
      tables,
      second
    )
    unsafe output[1] = output[1 - distance] &+ difference1
    if _fastPath((total0 | total1) & HuffmanDecodingTable.slow == 0) {
      bits = next &<< total1
      position = middle &+ UInt(truncatingIfNeeded: total1)
    } else {
      position = unsafe Self.long(
        position,
        tables,
        first,
        second,
        output,
        distance: distance,
        invalid: invalid
      )
      bits = unsafe Self.load(position)
    }
  }

  /// The difference at a place, and the place behind it.
  @unsafe @inline(__always)
  static func takeOne(
    _ position: UInt,
    _ tables: UnsafePointer<UInt32>,
    _ table: Int,
    invalid: UnsafeMutablePointer<UInt32>
  ) -> (difference: UInt16, position: UInt) {
    let bits = unsafe load(position)
    let (difference, total) = unsafe HuffmanDecodingTable.difference(bits, tables, table)
    guard _slowPath(total == HuffmanDecodingTable.slow) else {
      return (difference, position &+ UInt(truncatingIfNeeded: total))
    }
    return unsafe takeLong(bits, position, tables, table, invalid: invalid)
  }

  @unsafe @inline(__always)
  private static func takeLong(
    _ bits: UInt64,
    _ position: UInt,
    _ tables: UnsafePointer<UInt32>,
    _ table: Int,
    invalid: UnsafeMutablePointer<UInt32>
  ) -> (difference: UInt16, position: UInt) {
    let (difference, total) = unsafe HuffmanDecodingTable.longDifference(bits, tables, table)
    unsafe invalid.pointee |= difference
    return (UInt16(truncatingIfNeeded: difference), position &+ UInt(total))
  }

  /// What `takePair` does, for differences of any length; returns the place behind them.
  @unsafe @inline(never)
  private static func long(
    _ position: UInt,
    _ tables: UnsafePointer<UInt32>,
    _ first: Int,
    _ second: Int,
    _ output: UnsafeMutablePointer<UInt16>,
    distance: Int,
    invalid: UnsafeMutablePointer<UInt32>
  ) -> UInt {
    let (difference0, middle) = unsafe takeOne(position, tables, first, invalid: invalid)
    unsafe output[0] = output[0 - distance] &+ difference0
    let (difference1, end) = unsafe takeOne(middle, tables, second, invalid: invalid)
    unsafe output[1] = output[1 - distance] &+ difference1
    return end
  }

  /// The bits at a place, left-aligned: 57 at least.
  @unsafe @inline(__always)
  private static func load(_ position: UInt) -> UInt64 {
    // The address of a byte, which is not zero.
    let byte = unsafe UnsafeRawPointer(bitPattern: position &>> 3).unsafelyUnwrapped
    let word = unsafe byte.loadUnaligned(as: UInt64.self)
    return UInt64(bigEndian: word) &<< UInt64(truncatingIfNeeded: position & 7)
  }
}
