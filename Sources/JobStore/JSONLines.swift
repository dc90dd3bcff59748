/// Turns rows of COPY's text format into JSON objects, one a line.
///
/// A server makes text faster than it makes JSON.
struct JSONLines {
  /// `{"first":`, then `,"second":` and so on.
  private let heads: [[UInt8]]
  private let isNumber: [Bool]

  private static let tab = UInt8(ascii: "\t")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")
  private static let quote = UInt8(ascii: "\"")

  /// Columns by their names, which are plain, and whether their values are numbers.
  init(_ columns: [(name: String, isNumber: Bool)]) {
    heads = columns.enumerated().map { index, column in
      Array("\(index == 0 ? "{" : ",")\"\(column.name)\":".utf8)
    }
    isNumber = columns.map(\.isNumber)
  }

  /// The object of a row; values that are missing are null.
  func line(_ row: [UInt8]) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(4 * row.count)
    var place = 0
    for (head, isNumber) in zip(heads, isNumber) {
      line += head
      // \N is NULL; as a text it would be \\N.
      let isNull =
        place + 1 < row.count && row[place] == Self.backslash && row[place + 1] == UInt8(ascii: "N")
      if place >= row.count || isNull {
        line += "null".utf8
        place += 2
      } else if isNumber {
        while place < row.count, row[place] != Self.tab, row[place] != Self.lineFeed {
          line.append(row[place])
          place += 1
        }
      } else {
        line.append(Self.quote)
        while place < row.count, row[place] != Self.tab, row[place] != Self.lineFeed {
          var byte = row[place]
          if byte == Self.backslash, place + 1 < row.count {
            place += 1
            byte = Self.escaped(row[place])
          }
          Self.append(byte, to: &line)
          place += 1
        }
        line.append(Self.quote)
      }
      // Past the tab.
      place += 1
    }
    line.append(UInt8(ascii: "}"))
    line.append(Self.lineFeed)
    return line
  }

  /// What a letter behind a backslash stands for (PostgreSQL, "COPY", "Text Format").
  private static func escaped(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "t"): 9
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "v"): 11
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "r"): 13
    default: letter
    }
  }

  /// A byte of a JSON string; what is no ASCII is UTF-8 and stays.
  private static func append(_ byte: UInt8, to line: inout [UInt8]) {
    switch byte {
    case quote, backslash:
      line.append(backslash)
      line.append(byte)
    case ..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      line += "\\u00".utf8
      line.append(digits[Int(byte >> 4)])
      line.append(digits[Int(byte & 15)])
    default: line.append(byte)
    }
  }
}
