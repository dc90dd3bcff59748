/// A place in a JSON text.
package struct JSONPosition: Equatable, Sendable {
  /// Bytes before the place.
  package let offset: Int
  /// 1 for the first line.
  package let line: Int
  /// 1 for the first character of the line, in Unicode scalars.
  package let column: Int

  /// The place at a byte offset of a text, whose lines end with a line feed.
  package init(offset: Int, in text: [UInt8]) {
    var line = 1
    var column = 1
    for byte in text.prefix(max(0, offset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {  // not a continuation byte of UTF-8
        column += 1
      }
    }
    self.offset = offset
    self.line = line
    self.column = column
  }
}

extension JSONPosition: CustomStringConvertible {
  package var description: String { "line \(line), column \(column)" }
}
