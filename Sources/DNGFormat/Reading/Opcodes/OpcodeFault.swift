/// What is wrong with the parameters of one opcode.
package enum OpcodeFault: Error, Hashable, Sendable {
  /// The opcode has another number of bytes than its parameters take.
  case byteCount(found: Int, expected: Int)
  /// The opcode ends within its fixed parameters.
  case truncated(byteCount: Int, minimum: Int)
  /// A count or a choice outside what the specification allows.
  case outOfRange(String, value: Int, valid: ClosedRange<Int>)
  /// A parameter that is not a finite number.
  case notFinite(String)
  /// A parameter that the specification bounds.
  case invalid(String, value: Double, expected: String)
  /// Another number of values than rows or columns of the area.
  case valueCount(found: Int, lines: Int)
  /// An empty area with a pitch: it means the whole image only with pitches of 1.
  case emptyArea
  /// A rectangle without pixels.
  case emptyRectangle
}

extension OpcodeFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .byteCount(let found, let expected):
      "has \(found) bytes; its parameters take \(expected)"
    case .truncated(let byteCount, let minimum):
      "ends within its parameters: \(byteCount) bytes of at least \(minimum)"
    case .outOfRange(let what, let value, let valid):
      "has \(value) as \(what); expected \(valid.lowerBound) to \(valid.upperBound)"
    case .notFinite(let what):
      "has a value of \(what) that is no finite number"
    case .invalid(let what, let value, let expected):
      "has \(value) as \(what); expected \(expected)"
    case .valueCount(let found, let lines):
      "has \(found) values for \(lines) rows or columns"
    case .emptyArea:
      "has an empty area with a pitch"
    case .emptyRectangle:
      "has a rectangle without pixels"
    }
  }
}
