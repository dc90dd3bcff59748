/// The cascade of luma's wavelet scales.
///
/// Each scale's smoothing, squares and shrinking follow the rows above by as many rows as their stencils
/// reach, so that all of it stays in the second-level cache.
extension NoiseReductionStage {
  struct Luma {
    static let scratchRowCount = 130

    /// Luma as it came in: the plane itself is shrunk in place behind it, scale by scale.
    private let source: RowRing
    /// Smoothed once, twice, three times.
    private let smooth1: RowRing
    private let smooth2: RowRing
    private let smooth3: RowRing
    /// Squares of the coefficients of each scale.
    private let squares1: RowRing
    private let squares2: RowRing
    private let squares3: RowRing
    private let column: SampleRow
    private let power: SampleRow

    init(_ scratch: inout ScratchRows) {
      source = scratch.ring(8)
      smooth1 = scratch.ring(16)
      smooth2 = scratch.ring(32)
      smooth3 = scratch.ring(16)
      squares1 = scratch.ring(8)
      squares2 = scratch.ring(16)
      squares3 = scratch.ring(32)
      column = scratch.row()
      power = scratch.row()
    }

    /// Takes row `y` of luma in and does what it makes possible; rows up to `y - 22` are finished.
    func advance(
      _ stage: NoiseReductionStage,
      _ tile: AlignedTile,
      to y: Int,
      over range: TileRange
    ) {
      let indices = range.indices
      let top = range.rows.lowerBound
      let bottom = range.rows.upperBound
      func grown(_ reach: Int) -> Range<Int> {
        (indices.lowerBound - reach)..<(indices.upperBound + reach)
      }
      // Each scale is needed as far around the tile as the steps after it reach; rows before that are
      // not there yet.
      guard y >= top - 22, y < bottom + 22 else { return }
      copy(tile.row(1, y), into: source[y], indices: grown(22))
      if y - 2 >= top - 20 {
        smooth(source, y - 2, into: smooth1, squares1, step: 1, indices: grown(20))
      }
      if y - 6 >= top - 16 {
        smooth(smooth1, y - 6, into: smooth2, squares2, step: 2, indices: grown(16))
      }
      if y - 14 >= top - 8 {
        smooth(smooth2, y - 14, into: smooth3, squares3, step: 4, indices: grown(8))
      }
      let row = range.rows
      if row.contains(y - 4) {
        shrink(stage, 0, tile.row(1, y - 4), source, smooth1, squares1, y - 4, indices)
      }
      if row.contains(y - 10) {
        shrink(stage, 1, tile.row(1, y - 10), smooth1, smooth2, squares2, y - 10, indices)
      }
      if row.contains(y - 22) {
        shrink(stage, 2, tile.row(1, y - 22), smooth2, smooth3, squares3, y - 22, indices)
      }
    }

    private func copy(_ row: SampleRow, into copy: SampleRow, indices: Range<Int>) {
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        copy[lanes: i] = row[lanes: i]
      }
    }

    private func smooth(
      _ source: RowRing,
      _ y: Int,
      into result: RowRing,
      _ squares: RowRing,
      step: Int,
      indices: Range<Int>
    ) {
      let row = result[y]
      SplineSmoothing.row(y, of: source, into: row, step: step, indices: indices, column: column)
      let before = source[y]
      let square = squares[y]
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let coefficient = before[lanes: i] - row[lanes: i]
        square[lanes: i] = coefficient * coefficient
      }
    }

    /// Takes off luma what shrinking takes off the coefficients of a scale.
    ///
    /// `d max(0, 1 - T / |d|)` with `T = k sigma^2 / sigma_x`; `T / |d|` is `k sigma^2` over the root of
    /// `sigma_x^2 d^2`. The signal's variance is that of the coefficients around, without the one itself:
    /// a lone outlier is noise, however large. As few coefficients count, noise alone makes their power twice
    /// the noise's here and there by chance, and would be kept there as specks: power within what chance makes
    /// is no signal.
    private func shrink(
      _ stage: NoiseReductionStage,
      _ scale: Int,
      _ luma: SampleRow,
      _ fine: RowRing,
      _ coarse: RowRing,
      _ squares: RowRing,
      _ y: Int,
      _ indices: Range<Int>
    ) {
      SplineSmoothing.row(
        y,
        of: squares,
        into: power,
        step: 1 << scale,
        indices: indices,
        column: column
      )
      let fineRow = fine[y]
      let coarseRow = coarse[y]
      let variance = Lanes(repeating: stage.lumaVariances[scale])
      let threshold = Lanes(repeating: stage.lumaStrength * stage.lumaVariances[scale])
      let tiny = Lanes(repeating: 1e-20)
      let floor = variance * NoiseReductionStage.signalFloor
      let one = Lanes(repeating: 1)
      let lower = variance * NoiseReductionStage.chanceStart
      let chances = NoiseReductionStage.chanceEnd - NoiseReductionStage.chanceStart
      let span = Lanes(repeating: 1 / chances) / variance
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let coefficient = fineRow[lanes: i] - coarseRow[lanes: i]
        let square = coefficient * coefficient
        // The spline's middle weight is (3 / 8)^2; the rest of the weights make 1 again.
        let around = (power[lanes: i] - square * 0.140_625) * 1.163_636_4
        let certainty = ((around - lower) * span).smoothStep
        let signal = ((around - variance) * certainty).maximum(floor)
        let product = (signal * square).maximum(tiny)
        let share = (threshold * product.reciprocalSquareRoot).minimum(one)
        luma[lanes: i] -= coefficient * share
      }
    }
  }
}
