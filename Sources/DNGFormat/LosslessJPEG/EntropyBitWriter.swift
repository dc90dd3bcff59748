/// Collects codes and stores whole bytes, first bit first.
@safe
struct EntropyBitWriter {
  /// The most bits of one difference for two to fit between stores: 7 pending and twice this is 63.
  static let pairLimit = 28
  /// Bytes that a store may write behind those that stay.
  static let overhang = 8

  /// The pending bits, last appended lowest; what lies above `count` was stored already.
  private var pending: UInt64 = 0
  private var count: UInt64 = 0
  private var next: UnsafeMutablePointer<UInt8>
  private let lowered: UnsafePointer<Int16>
  private let categories: UnsafePointer<UInt8>
  private let tables: UnsafePointer<UInt32>

  /// - Parameters:
  ///   - output: Room for four bytes for each difference and the overhang.
  ///   - lowered: The differences as `ClassifiedDifferences` has them.
  ///   - categories: Their categories.
  ///   - tables: The numbers of `CategoryCodes`.
  @unsafe
  init(
    _ output: UnsafeMutablePointer<UInt8>,
    lowered: UnsafePointer<Int16>,
    categories: UnsafePointer<UInt8>,
    tables: UnsafePointer<UInt32>
  ) {
    unsafe next = output
    unsafe self.lowered = lowered
    unsafe self.categories = categories
    unsafe self.tables = tables
  }

  /// Appends the difference at `index` of a component.
  @inline(__always)
  mutating func append(_ index: Int, component: Int) {
    let (bits, length) = symbol(index, component)
    append(bits, length)
  }

  /// Appends the differences at `index` and behind it, of at most `pairLimit` bits each.
  @inline(__always)
  mutating func append(_ index: Int, components first: Int, _ second: Int) {
    let (firstBits, firstLength) = symbol(index, first)
    let (secondBits, secondLength) = symbol(index &+ 1, second)
    append(firstBits &<< secondLength | secondBits, firstLength &+ secondLength)
  }

  /// Appends bits and stores eight bytes, of which those that are full stay.
  @inline(__always)
  private mutating func append(_ bits: UInt64, _ length: UInt64) {
    pending = pending &<< length | bits
    count &+= length
    let aligned = pending &<< (64 &- count)
    // A difference has four bytes at the most, for which there is room, and the overhang.
    unsafe UnsafeMutableRawPointer(next).storeBytes(of: aligned.bigEndian, as: UInt64.self)
    unsafe next += Int(truncatingIfNeeded: count &>> 3)
    count &= 7
  }

  /// Code and extra bits of a difference.
  @inline(__always)
  private func symbol(_ index: Int, _ component: Int) -> (bits: UInt64, length: UInt64) {
    // 0 to 16: one of the component's 17 numbers.
    let category = unsafe Int(categories[index])
    let table = unsafe tables + component &* CategoryCodes.stride
    let difference = unsafe UInt32(bitPattern: Int32(lowered[index]))
    let extra = unsafe difference & table[category &+ CategoryCodes.masks]
    let bits = unsafe table[category] | extra
    let length = unsafe table[category &+ CategoryCodes.lengths]
    return (UInt64(bits), UInt64(length))
  }

  /// Fills the last byte up with ones (T.81 F.1.2.3).
  ///
  /// - Returns: The end of the bytes.
  mutating func finish() -> UnsafeMutablePointer<UInt8> {
    guard count > 0 else { return unsafe next }
    let free = 8 - count
    unsafe next[0] = UInt8(truncatingIfNeeded: pending << free) | UInt8((1 << free) - 1)
    return unsafe next + 1
  }
}
