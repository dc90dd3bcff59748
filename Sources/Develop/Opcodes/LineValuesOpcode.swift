internal import RawModel

/// What an opcode with a value for each row or column does with it.
protocol LineOperation: Sendable {
  static var name: String { get }
  /// A value for each row, rather than for each column.
  static var isPerRow: Bool { get }
  /// Multiplied, rather than added.
  static var isScale: Bool { get }
}

enum DeltaPerRow: LineOperation {
  static let name = "deltaPerRow"
  static let isPerRow = true
  static let isScale = false
}

enum DeltaPerColumn: LineOperation {
  static let name = "deltaPerColumn"
  static let isPerRow = false
  static let isScale = false
}

enum ScalePerRow: LineOperation {
  static let name = "scalePerRow"
  static let isPerRow = true
  static let isScale = true
}

enum ScalePerColumn: LineOperation {
  static let name = "scalePerColumn"
  static let isPerRow = false
  static let isScale = true
}

/// DeltaPerRow, DeltaPerColumn, ScalePerRow, ScalePerColumn: a value for each row or column of the area is
/// added or multiplied.
///
/// Deltas are in the samples' logical range, as the samples of MapPolynomial are. DNG 1.7.1 chapter 7. Version 1.
struct LineValuesOpcode<Operation: LineOperation>: PointOpcode {
  static var name: String { Operation.name }

  let area: OpcodeArea
  private let values: [Float]

  /// - Throws: `opcodeUnusable` where there are not as many values as rows or columns.
  init(_ lines: LineValues, list: Int) throws(DevelopError) {
    let count = Operation.isPerRow ? lines.area.rowCount : lines.area.columnCount
    guard lines.values.count == count, lines.values.allSatisfy(\.isFinite) else {
      throw .opcodeUnusable(
        list: list,
        name: Operation.name,
        reason: "has \(lines.values.count) values for \(count) rows or columns"
      )
    }
    area = lines.area
    values = lines.values
  }

  func change(_ value: Double, white: Double, x: Int, y: Int) -> Double {
    let line = Double(values[Operation.isPerRow ? index(row: y) : index(column: x)])
    return Operation.isScale ? value * line : value + line
  }

  func change(_ run: SampleRun, limit: Float) {
    if Operation.isPerRow {
      let line = Lanes(repeating: values[index(row: run.y)])
      run.replace { value, _ in
        (Operation.isScale ? value * line : value + line).clamped(0, limit)
      }
    } else {
      run.replaceEach { value, column in
        let line = values[index(column: column)]
        return min(max(Operation.isScale ? value * line : value + line, 0), limit)
      }
    }
  }

  private func index(row: Int) -> Int { (row - area.top) / area.rowPitch }
  private func index(column: Int) -> Int { (column - area.left) / area.columnPitch }
}
