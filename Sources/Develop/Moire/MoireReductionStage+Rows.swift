internal import Raster

extension MoireReductionStage {
  /// Luma, colour differences, their smoothings and products, row after row.
  ///
  /// Of three fields each: the colour differences `C1`, `C2`, and luma.
  struct Rows {
    /// Rows that a result follows behind: the reach of smoothings with steps 1, 2, 4 and 3.
    static let lag = 20

    let luma: RowRing
    private let differences: [2 of RowRing]
    private let once: [3 of RowRing]
    private let twice: [3 of RowRing]
    /// Smoothed with steps 1, 2 and 4.
    let means: [3 of RowRing]
    /// Of what lies between `once` and `means`: both differences by luma, and luma's square.
    private let products: [3 of RowRing]
    private let squares: RowRing
    private let column: SampleRow
    /// Of the row that was measured last: the power of luma's finest band, what luma has between `once` and
    /// `means`, squared, and how much of it goes with the differences.
    let power: SampleRow
    let guide: SampleRow
    let slopes: (SampleRow, SampleRow)

    init(_ scratch: inout ScratchRows) {
      luma = scratch.ring(32)
      differences = [scratch.ring(8), scratch.ring(8)]
      once = [scratch.ring(16), scratch.ring(16), scratch.ring(16)]
      twice = [scratch.ring(32), scratch.ring(32), scratch.ring(32)]
      means = [scratch.ring(8), scratch.ring(8), scratch.ring(8)]
      products = [scratch.ring(16), scratch.ring(16), scratch.ring(16)]
      squares = scratch.ring(32)
      column = scratch.row()
      power = scratch.row()
      guide = scratch.row()
      slopes = (scratch.row(), scratch.row())
    }

    /// Takes row `y` in and does what it makes possible.
    func advance(_ tile: AlignedTile, to y: Int, over range: TileRange) {
      func grown(_ reach: Int) -> Range<Int> { range.grown(by: reach).indices }
      let top = range.rows.lowerBound
      load(tile, y, grown(20))
      if y - 2 >= top - 18 {
        for color in 0..<2 {
          smooth(differences[color], y - 2, into: once[color][y - 2], 1, grown(18))
        }
        smooth(luma, y - 2, into: once[2][y - 2], 1, grown(18))
        takeSquares(y - 2, grown(18))
      }
      if y - 6 >= top - 14 {
        for field in 0..<3 { smooth(once[field], y - 6, into: twice[field][y - 6], 2, grown(14)) }
      }
      if y - 14 >= top - 6 {
        for field in 0..<3 { smooth(twice[field], y - 14, into: means[field][y - 14], 4, grown(6)) }
        multiply(y - 14, grown(6))
      }
    }

    /// Power, guide and slopes of row `y`.
    func measure(_ y: Int, _ indices: Range<Int>) {
      smooth(squares, y, into: power, 2, indices)
      smooth(products[0], y, into: slopes.0, 3, indices)
      smooth(products[1], y, into: slopes.1, 3, indices)
      smooth(products[2], y, into: guide, 3, indices)
    }

    private func load(_ tile: AlignedTile, _ y: Int, _ indices: Range<Int>) {
      let red = tile.row(0, y)
      let green = tile.row(1, y)
      let blue = tile.row(2, y)
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let g = green[lanes: i]
        let c1 = red[lanes: i] - g
        let c2 = blue[lanes: i] - g
        differences[0][y][lanes: i] = c1
        differences[1][y][lanes: i] = c2
        luma[y][lanes: i] = g + (c1 + c2) * 0.25
      }
    }

    /// Squares of luma's finest band.
    private func takeSquares(_ y: Int, _ indices: Range<Int>) {
      let light = luma[y]
      let smooth = once[2][y]
      let row = squares[y]
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let band = light[lanes: i] - smooth[lanes: i]
        row[lanes: i] = band * band
      }
    }

    private func multiply(_ y: Int, _ indices: Range<Int>) {
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let light = once[2][y][lanes: i] - means[2][y][lanes: i]
        for color in 0..<2 {
          let difference = once[color][y][lanes: i] - means[color][y][lanes: i]
          products[color][y][lanes: i] = difference * light
        }
        products[2][y][lanes: i] = light * light
      }
    }

    private func smooth(
      _ source: RowRing,
      _ y: Int,
      into row: SampleRow,
      _ step: Int,
      _ indices: Range<Int>
    ) {
      SplineSmoothing.row(y, of: source, into: row, step: step, indices: indices, column: column)
    }
  }
}
