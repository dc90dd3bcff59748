/// Collects codes and hands out whole bytes, first bit first.
struct BitAccumulator {
  /// The most bits of one difference for two to fit between stores: 7 pending and twice this is 63.
  static let pairLimit = 28

  /// The pending bits, last appended lowest; what lies above `count` was stored already.
  private var pending: UInt64 = 0
  private var count: UInt64 = 0
  private var position = 0

  /// Appends code and extra bits of one difference; the component's codes start at `base`.
  ///
  /// T.81 H.1.2.2: a negative difference is followed by the low bits of the difference minus one.
  @inline(__always)
  mutating func append(_ difference: Int16, _ codes: Span<CategoryCodes.Code>, base: Int) {
    let code = codes[base &+ differenceCategory(difference)]
    let extra = UInt16(bitPattern: difference &+ (difference &>> 15)) & code.extraMask
    pending = (pending &<< UInt64(code.length)) | UInt64(code.bits | UInt32(extra))
    count &+= UInt64(code.length)
  }

  /// Stores eight bytes, of which those that are full stay.
  @inline(__always)
  mutating func store(into bytes: inout MutableRawSpan) {
    let aligned = pending &<< (64 &- count)
    bytes.storeBytes(of: aligned.bigEndian, toByteOffset: position, as: UInt64.self)
    position &+= Int(truncatingIfNeeded: count &>> 3)
    count &= 7
  }

  /// Fills the last byte up with ones (T.81 F.1.2.3).
  ///
  /// - Returns: The number of bytes stored.
  mutating func finish(in bytes: inout MutableRawSpan) -> Int {
    guard count > 0 else { return position }
    let free = 8 - count
    let last = UInt8(truncatingIfNeeded: pending << free) | UInt8((1 << free) - 1)
    bytes.storeBytes(of: last, toByteOffset: position, as: UInt8.self)
    position += 1
    return position
  }
}
