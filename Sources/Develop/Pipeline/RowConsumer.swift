internal import Raster

/// Rows of three colours, split into even and odd columns.
struct SplitRow {
  let even: [3 of SampleRow]
  let odd: [3 of SampleRow]
  /// The column at which index 0 of `even` stands.
  let origin: Int
  let y: Int
  /// The columns that count.
  let columns: Range<Int>

  /// The indices of the pairs that hold `columns`.
  var pairs: Range<Int> {
    ((columns.lowerBound - origin) >> 1)..<(((columns.upperBound - 1 - origin) >> 1) + 1)
  }
}

/// A row of three colours, index 0 being the first of `columns`.
struct FullRow {
  let rows: [3 of SampleRow]
  let y: Int
  let columns: Range<Int>
}

/// What takes the rows of one lane, tile by tile, from top to bottom.
///
/// Rows are used up: a consumer may change them.
protocol RowConsumer: AnyObject {
  /// Begins a tile: the rows of `region` follow.
  func begin(_ region: Region)
  func take(_ row: SplitRow)
  func take(_ row: FullRow)
}

/// What gives the rows of one lane.
protocol RowSource: AnyObject {
  /// Gives the rows of a region, which may reach beyond the picture, to a consumer that was told to begin.
  func produce(_ region: Region, into consumer: any RowConsumer)
}
