/// A table of text with columns as wide as their widest cell.
package struct TextTable: Sendable {
  package enum Alignment: Sendable {
    case leading
    case trailing
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  /// A table with these columns; without any title there is no line of titles.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns
  }

  /// Adds a row; missing cells stay empty.
  package mutating func add(_ cells: [String]) {
    let padding = max(0, columns.count - cells.count)
    rows.append(cells.prefix(columns.count) + Array(repeating: "", count: padding))
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// The lines of the table, without spaces at their ends.
  package func lines(indent: Int = 0) -> [String] {
    let hasTitles = columns.contains { !$0.title.isEmpty }
    let all = hasTitles ? [columns.map(\.title)] + rows : rows
    let widths = columns.indices.map { column in
      all.map { TerminalText.width($0[column]) }.max() ?? 0
    }
    let margin = String(repeating: " ", count: indent)
    return all.map { row in
      let cells = columns.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - TerminalText.width(row[column]))
        return columns[column].alignment == .leading ? row[column] + space : space + row[column]
      }
      let line = margin + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
