/// The last few rows of one quantity: row `y` overwrites row `y - rowCount`.
struct RowRing {
  private let first: SampleRow.Allocation
  private let mask: Int

  /// - Precondition: `rowCount` is a power of two.
  init(_ allocation: SampleRow.Allocation, rowCount: Int) {
    precondition(rowCount > 0 && rowCount & (rowCount - 1) == 0)
    first = allocation
    mask = rowCount - 1
  }

  /// Row `y`, which may be negative: rows before the picture are mirrored ones.
  @inline(__always)
  subscript(y: Int) -> SampleRow {
    first.row(y & mask)
  }
}
