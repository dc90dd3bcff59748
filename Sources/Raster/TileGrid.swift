/// One tile of a grid: its place in the order and the pixels that it owns.
package struct Tile: Hashable, Sendable {
  package let index: Int
  package let region: Region
}

/// A static division of a picture into tiles that cover it once each.
package struct TileGrid: Hashable, Sendable {
  package let bounds: Region
  package let tileSize: PixelSize
  package let columnCount: Int
  package let rowCount: Int

  /// The tiles of `bounds`, row by row; those at the right and the bottom may be smaller.
  ///
  /// - Precondition: `tileSize` is at least 1x1.
  package init(bounds: Region, tileSize: PixelSize) {
    precondition(tileSize.width > 0 && tileSize.height > 0, "a tile needs a size")
    self.bounds = bounds
    self.tileSize = tileSize
    self.columnCount = bounds.isEmpty ? 0 : (bounds.width + tileSize.width - 1) / tileSize.width
    self.rowCount = bounds.isEmpty ? 0 : (bounds.height + tileSize.height - 1) / tileSize.height
  }

  package var count: Int { columnCount * rowCount }

  package subscript(index: Int) -> Tile {
    precondition(index >= 0 && index < count, "no such tile")
    let (row, column) = index.quotientAndRemainder(dividingBy: columnCount)
    let whole = Region(
      left: bounds.left + column * tileSize.width,
      top: bounds.top + row * tileSize.height,
      width: tileSize.width,
      height: tileSize.height
    )
    return Tile(index: index, region: whole.intersection(bounds))
  }
}
