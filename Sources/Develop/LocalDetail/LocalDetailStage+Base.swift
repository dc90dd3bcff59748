extension LocalDetailStage {
  /// The guided filter of lightness by itself, on cells.
  struct Base {
    private let grid: CellGrid
    private let slopes: SampleRow.Allocation
    private let offsets: SampleRow.Allocation
    private let between: SampleRow
    /// At the pixels of the row that was spread last: base = slope x lightness + offset.
    let slope: SampleRow
    let offset: SampleRow

    /// Makes the filter of a tile; `lightness` is a scratch row.
    init(
      _ stage: LocalDetailStage,
      _ scratch: inout ScratchRows,
      _ tile: AlignedTile,
      over range: TileRange,
      lightness: SampleRow
    ) {
      let radius = stage.radius
      let grid = CellGrid(range, reach: 2 * radius)
      self.grid = grid
      let rows = grid.rows.count
      slopes = scratch.take(rows)
      offsets = scratch.take(rows)
      between = scratch.row()
      slope = scratch.row()
      offset = scratch.row()
      let means = scratch.take(rows)
      let squares = scratch.take(rows)
      let sum = scratch.row()
      let indices = (4 * grid.columns.lowerBound)..<(4 * grid.columns.upperBound)
      for y in (4 * grid.rows.lowerBound)..<(4 * grid.rows.upperBound) {
        LocalDetailStage.lightness(tile, y, indices, into: lightness)
        grid.collect(lightness, y, sum: sum, into: means)
      }
      for r in 0..<rows {
        for c in stride(from: grid.columns.lowerBound, to: grid.columns.upperBound, by: 8) {
          let mean = means.row(r)[lanes: c]
          squares.row(r)[lanes: c] = mean * mean
        }
      }
      grid.mean(means, margin: 0, radius: radius, into: slopes, column: sum)
      grid.mean(squares, margin: 0, radius: radius, into: offsets, column: sum)
      let inner = grid.inner(radius)
      for r in inner.rows {
        let slope = slopes.row(r)
        let offset = offsets.row(r)
        for c in stride(from: inner.columns.lowerBound, to: inner.columns.upperBound, by: 8) {
          let mean = slope[lanes: c]
          let variance = (offset[lanes: c] - mean * mean).maximum(Lanes(repeating: 0))
          let share = variance / (variance + LocalDetailStage.epsilon)
          means.row(r)[lanes: c] = share
          squares.row(r)[lanes: c] = mean - share * mean
        }
      }
      grid.mean(means, margin: radius, radius: radius, into: slopes, column: sum)
      grid.mean(squares, margin: radius, radius: radius, into: offsets, column: sum)
    }

    /// Interpolates the filter for row `y`.
    func spread(_ y: Int, indices: Range<Int>) {
      grid.spread(slopes, y, indices: indices, between: between, into: slope)
      grid.spread(offsets, y, indices: indices, between: between, into: offset)
    }
  }
}
