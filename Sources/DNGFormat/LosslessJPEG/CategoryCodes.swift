/// What is emitted for a difference of each category of each component.
///
/// A component has three tables of 17 numbers, by category: its code with room for the extra bits
/// below it, which bits of the difference are the extra bits, and how many bits code and extra bits
/// are together.
struct CategoryCodes {
  /// Numbers of one component.
  static let stride = 64
  /// Where the masks and the lengths stand within them.
  static let masks = 20
  static let lengths = 40

  /// By component. (Not inline arrays: reading an element would copy all of one.)
  private(set) var numbers: [UInt32]
  /// The most bits that one difference takes.
  private(set) var longest = 0

  init(_ tables: [OptimalHuffmanCode]) {
    numbers = [UInt32](repeating: 0, count: tables.count * Self.stride)
    for (component, table) in tables.enumerated() {
      for category in 0...16 where table.lengths[category] > 0 {
        // H.1.2.2: category 16 is the difference 32768 and has no extra bits.
        let extraBits = category == 16 ? 0 : category
        let length = Int(table.lengths[category]) + extraBits
        let index = component * Self.stride + category
        numbers[index] = UInt32(table.codes[category]) << UInt32(extraBits)
        numbers[index + Self.masks] = UInt32(1) << UInt32(extraBits) - 1
        numbers[index + Self.lengths] = UInt32(length)
        longest = max(longest, length)
      }
    }
  }
}
