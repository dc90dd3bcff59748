/// Means over cells of 4x4 pixels within a tile, for filters of large radius, and the way back to pixels.
///
/// K. He & J. Sun, "Fast Guided Filter", arXiv:1505.00996.
/// Cells lie on multiples of four of the picture's rows and of an `AlignedTile`'s indices, so that a cell is
/// the same in every tile that holds all of it. Row `r` of cells is row `r - rows.lowerBound` of an
/// allocation.
struct CellGrid {
  /// Rows of cells, in the picture's numbers: pixel row over four.
  let rows: Range<Int>
  /// Columns of cells: index over four.
  let columns: Range<Int>

  /// The cells for interpolating over `range` what is filtered with cells up to `reach` away.
  init(_ range: TileRange, reach: Int) {
    func cells(_ pixels: Range<Int>) -> Range<Int> {
      ((pixels.lowerBound >> 2) - reach - 1)..<(((pixels.upperBound - 1) >> 2) + reach + 2)
    }
    rows = cells(range.rows)
    columns = cells(range.indices)
  }

  /// Pixels around a tile that its cells cover, at the most.
  static func halo(reach: Int) -> Int { 4 * (reach + 1) + 4 }

  /// Rows of an allocation for a tile of this height.
  static func rowCount(height: Int, reach: Int) -> Int { height / 4 + 2 * reach + 5 }

  /// Adds pixel row `y` to `sum` and, with a cell's last row, writes the cells' means.
  ///
  /// Rows must come in order; those that no cell needs are left out.
  func collect(_ row: SampleRow, _ y: Int, sum: SampleRow, into cells: SampleRow.Allocation) {
    guard rows.contains(y >> 2) else { return }
    let indices = (4 * columns.lowerBound)..<(4 * columns.upperBound)
    if y & 3 == 0 {
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        sum[lanes: i] = row[lanes: i]
      }
    } else {
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        sum[lanes: i] += row[lanes: i]
      }
    }
    guard y & 3 == 3 else { return }
    let cell = cells.row((y >> 2) - rows.lowerBound)
    for c in columns {
      let left = sum[4 * c] + sum[4 * c + 1]
      let right = sum[4 * c + 2] + sum[4 * c + 3]
      cell[c] = (left + right) * (1.0 / 16)
    }
  }

  /// The rows and columns that are left when filters reach `reach` cells.
  func inner(_ reach: Int) -> (rows: Range<Int>, columns: Range<Int>) {
    (
      reach..<(rows.count - reach),
      (columns.lowerBound + reach)..<(columns.upperBound - reach)
    )
  }

  /// Means over squares of cells: from all cells of `source` that are `margin` within the grid into those
  /// that are `margin + radius` within.
  func mean(
    _ source: SampleRow.Allocation,
    margin: Int,
    radius: Int,
    into result: SampleRow.Allocation,
    column: SampleRow
  ) {
    let outer = inner(margin)
    let inner = inner(margin + radius)
    for r in inner.rows {
      for c in stride(from: outer.columns.lowerBound, to: outer.columns.upperBound, by: 8) {
        var sum = Lanes()
        for offset in -radius...radius { sum += source.row(r + offset)[lanes: c] }
        column[lanes: c] = sum
      }
      let row = result.row(r)
      for c in stride(from: inner.columns.lowerBound, to: inner.columns.upperBound, by: 8) {
        row[lanes: c] = Self.mean(column, around: c, radius: radius)
      }
    }
  }

  /// Of sums along columns of `2 radius + 1` cells, the means over squares.
  @inline(__always)
  static func mean(_ column: SampleRow, around c: Int, radius: Int) -> Lanes {
    var sum = Lanes()
    for offset in -radius...radius { sum += column[lanes: c + offset] }
    let side = Float(2 * radius + 1)
    return sum * (1 / (side * side))
  }

  /// Values of cells at the pixels of row `y`, linearly between the cells' centres.
  ///
  /// `between` is a scratch row; indices of `indices` are filled.
  func spread(
    _ cells: SampleRow.Allocation,
    _ y: Int,
    indices: Range<Int>,
    between: SampleRow,
    into row: SampleRow
  ) {
    // The row of cells whose centres lie at or above the row's, and the way to the next.
    let r = ((y - 2) >> 2) - rows.lowerBound
    let way = Lanes(repeating: (Float((y - 2) & 3) + 0.5) * 0.25)
    let upper = cells.row(r)
    let lower = cells.row(r + 1)
    let first = (indices.lowerBound >> 2) - 1
    let end = ((indices.upperBound - 1) >> 2) + 2
    for c in stride(from: first, to: end, by: 8) {
      let start = upper[lanes: c]
      between[lanes: c] = start + (lower[lanes: c] - start) * way
    }
    let steps = SIMD4<Float>(0.125, 0.375, 0.625, 0.875)
    for c in stride(from: first, to: end - 1, by: 2) {
      let a = between[c]
      let b = between[c + 1]
      let d = between[c + 2]
      let low = SIMD4(repeating: a) + SIMD4(repeating: b - a) * steps
      let high = SIMD4(repeating: b) + SIMD4(repeating: d - b) * steps
      row[lanes: 4 * c + 2] = Lanes(lowHalf: low, highHalf: high)
    }
  }
}
