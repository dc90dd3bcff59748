/// The zero light level (BlackLevel, 50714, with its repeat pattern and deltas), in linearised codes.
///
/// The pattern repeats from the top-left corner of the active area. DNG 1.7.1, "BlackLevel".
package struct BlackLevel: Equatable, Sendable {
  package let repeatRows: Int
  package let repeatColumns: Int
  package let samplesPerPixel: Int
  /// `repeatRows * repeatColumns * samplesPerPixel` values, samples innermost.
  package let values: [Double]
  /// Added per column of the active area (50715), or empty.
  package let deltaH: [Double]
  /// Added per row of the active area (50716), or empty.
  package let deltaV: [Double]

  /// - Precondition: `values` has a value for each sample of the pattern.
  package init(
    repeatRows: Int,
    repeatColumns: Int,
    samplesPerPixel: Int,
    values: [Double],
    deltaH: [Double] = [],
    deltaV: [Double] = []
  ) {
    precondition(values.count == repeatRows * repeatColumns * samplesPerPixel)
    self.repeatRows = repeatRows
    self.repeatColumns = repeatColumns
    self.samplesPerPixel = samplesPerPixel
    self.values = values
    self.deltaH = deltaH
    self.deltaV = deltaV
  }

  /// One level for every sample of a pixel, everywhere.
  package init(_ level: Double, samplesPerPixel: Int) {
    self.init(
      repeatRows: 1,
      repeatColumns: 1,
      samplesPerPixel: samplesPerPixel,
      values: [Double](repeating: level, count: samplesPerPixel)
    )
  }

  /// The level of one sample; `row` and `column` count from the active area's corner.
  package func level(row: Int, column: Int, sample: Int) -> Double {
    let cell = (row % repeatRows) * repeatColumns + column % repeatColumns
    var level = values[cell * samplesPerPixel + sample]
    if !deltaH.isEmpty { level += deltaH[column] }
    if !deltaV.isEmpty { level += deltaV[row] }
    return level
  }

  /// The largest level of a sample anywhere in the active area; values and deltas are finite.
  ///
  /// A row's or column's delta counts with the cells of the pattern that lie in it.
  package func highest(sample: Int) -> Double {
    let columnDeltas = Self.highest(deltaH, period: repeatColumns)
    let rowDeltas = Self.highest(deltaV, period: repeatRows)
    var highest = -Double.infinity
    for row in 0..<repeatRows {
      for column in 0..<repeatColumns {
        let value = values[(row * repeatColumns + column) * samplesPerPixel + sample]
        highest = max(highest, value + columnDeltas[column] + rowDeltas[row])
      }
    }
    return highest
  }

  /// The largest delta of the rows or columns that coincide in the pattern; minus infinity for places
  /// of the pattern that the active area is too small to have.
  private static func highest(_ deltas: [Double], period: Int) -> [Double] {
    guard !deltas.isEmpty else { return Array(repeating: 0, count: period) }
    var highest = Array(repeating: -Double.infinity, count: period)
    for (index, delta) in deltas.enumerated() {
      highest[index % period] = max(highest[index % period], delta)
    }
    return highest
  }
}
