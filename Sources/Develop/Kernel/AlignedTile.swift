internal import Raster

/// A region tile seen from a column that is a multiple of eight.
///
/// Index `i` of a row is column `left + i`, so that cells of 2, 4 or 8 pixels fall on the same indices in
/// every tile, whatever column the tile begins at.
struct AlignedTile {
  private let tile: RegionTile
  private let shift: Int

  init(_ tile: RegionTile) {
    self.tile = tile
    shift = tile.region.left & 7
  }

  var left: Int { tile.region.left - shift }
  var rows: Range<Int> { tile.region.rows }
  /// The indices of the tile's columns.
  var indices: Range<Int> { shift..<(shift + tile.region.width) }

  /// Row `y` of a colour.
  @inline(__always)
  func row(_ color: Int, _ y: Int) -> SampleRow {
    tile.row(color, y).advanced(by: -shift)
  }
}

/// The pixels that a kernel fills: rows of the picture and indices of an `AlignedTile`'s rows.
struct TileRange {
  var rows: Range<Int>
  var indices: Range<Int>

  /// Grown on all sides, to where a stencil of this reach reads.
  func grown(by reach: Int) -> TileRange {
    TileRange(
      rows: (rows.lowerBound - reach)..<(rows.upperBound + reach),
      indices: (indices.lowerBound - reach)..<(indices.upperBound + reach)
    )
  }
}

/// Cuts a lane's scratch into what a kernel needs.
struct ScratchRows {
  private let rows: SampleRow.Allocation
  private var taken = 0

  init(_ rows: SampleRow.Allocation) {
    self.rows = rows
  }

  /// The next `count` rows.
  mutating func take(_ count: Int) -> SampleRow.Allocation {
    defer { taken += count }
    return rows.slice(taken, count)
  }

  mutating func ring(_ count: Int) -> RowRing {
    RowRing(take(count), rowCount: count)
  }

  mutating func row() -> SampleRow { take(1).row(0) }
}
