internal import TIFFContainer

/// The values of one tag, brought to one byte order.
struct TagValue {
  private let type: TIFFFieldType?
  private let count: UInt64
  /// Big-endian; nil where they can't be read.
  private let bytes: [UInt8]?
  private let numbers: [Double]?
  let text: String

  /// Numbers of which the text shows each.
  private static let shownNumbers = 4

  init(_ entry: TIFFEntry, of directory: TIFFDirectory, limit: Int) {
    type = entry.type
    count = entry.count
    guard let type = entry.type, let stored = try? directory.storedBytes(of: entry, limit: limit)
    else {
      bytes = nil
      numbers = nil
      text = "unreadable"
      return
    }
    let width = type.elementByteCount
    bytes =
      width == 1 || directory.byteOrder == .bigEndian
      ? stored : Self.swapped(stored, width: width)
    let isNumeric = type != .ascii && type != .undefined
    // Numbers are asked for where types may differ for one value: short lists.
    numbers = isNumeric ? try? directory.numbers(entry.tag, count: 0...4_096) : nil
    switch type {
    case .ascii:
      text = "\"\(String(decoding: stored.prefix { $0 != 0 }.prefix(80), as: UTF8.self))\""
    case .undefined: text = "\(stored.count) bytes"
    default:
      if let numbers, numbers.count <= Self.shownNumbers {
        text = numbers.map(Self.short).joined(separator: " ")
      } else {
        text = "\(entry.count) values"
      }
    }
  }

  /// Whether both say the same, whatever type the numbers have.
  func isEqual(to other: TagValue) -> Bool {
    guard let bytes, let otherBytes = other.bytes else { return false }
    if bytes == otherBytes, type == other.type { return true }
    if let numbers, let otherNumbers = other.numbers { return numbers == otherNumbers }
    // Exif: BYTE and UNDEFINED are both plain bytes.
    return type?.byteCount == 1 && other.type?.byteCount == 1 && bytes == otherBytes
  }

  private static func swapped(_ bytes: [UInt8], width: Int) -> [UInt8] {
    var result = bytes
    for start in stride(from: 0, to: bytes.count / width * width, by: width) {
      for index in 0..<width { result[start + index] = bytes[start + width - 1 - index] }
    }
    return result
  }

  private static func short(_ number: Double) -> String {
    let whole = number.rounded()
    if whole == number, abs(number) < 1e15 { return "\(Int64(number))" }
    return "\(number)"
  }
}
