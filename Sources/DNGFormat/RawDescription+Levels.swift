internal import Raster
package import RawModel

extension RawDescription {
  /// The zero light level of one sample, in linear codes; `row` and `column` count from the stored frame's
  /// corner.
  ///
  /// The pattern goes on in masked pixels, which have no deltas.
  package func black(row: Int, column: Int, sample: Int) -> Double {
    let area = activeArea
    let patternRow = Self.wrapped(row - area.top, blackLevel.repeatRows)
    let patternColumn = Self.wrapped(column - area.left, blackLevel.repeatColumns)
    let cell = patternRow * blackLevel.repeatColumns + patternColumn
    var level = blackLevel.values[cell * blackLevel.samplesPerPixel + sample]
    if !blackLevel.deltaV.isEmpty, area.rows.contains(row) {
      level += blackLevel.deltaV[row - area.top]
    }
    if !blackLevel.deltaH.isEmpty, area.columns.contains(column) {
      level += blackLevel.deltaH[column - area.left]
    }
    return level
  }

  /// What of a sample's linear codes, less black, counts as 1: white less the highest black of all places,
  /// also where black is lower (DNG 1.7.1, chapter 5, "Rescaling").
  package func range(sample: Int) -> Double {
    whiteLevel[min(sample, whiteLevel.count - 1)] - blackLevel.highest(sample: sample)
  }

  /// The remainder that is not negative.
  private static func wrapped(_ value: Int, _ period: Int) -> Int {
    (value % period + period) % period
  }
}
