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

  /// The level of one sample; `row` and `column` count from the active area's corner.
  package func level(row: Int, column: Int, sample: Int) -> Double {
    let cell = (row % repeatRows) * repeatColumns + column % repeatColumns
    var level = values[cell * samplesPerPixel + sample]
    if !deltaH.isEmpty { level += deltaH[column] }
    if !deltaV.isEmpty { level += deltaV[row] }
    return level
  }
}
