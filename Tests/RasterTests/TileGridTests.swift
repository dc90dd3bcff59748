import Raster
import Testing

@Suite struct TileGridTests {
  @Test(arguments: [(1, 1), (7, 5), (64, 64), (100, 3)])
  func tilesCoverEachPixelOnce(width: Int, height: Int) {
    let bounds = Region(left: 3, top: -2, width: 37, height: 23)
    let grid = TileGrid(bounds: bounds, tileSize: PixelSize(width: width, height: height))
    var counts: [Int] = Array(repeating: 0, count: bounds.size.pixelCount)
    for index in 0..<grid.count {
      let tile = grid[index]
      #expect(tile.index == index)
      #expect(bounds.contains(tile.region) && !tile.region.isEmpty)
      for y in tile.region.rows {
        for x in tile.region.columns {
          counts[(y - bounds.top) * bounds.width + x - bounds.left] += 1
        }
      }
    }
    #expect(counts.allSatisfy { $0 == 1 })
  }

  @Test func emptyBoundsHaveNoTiles() {
    let grid = TileGrid(
      bounds: Region(left: 0, top: 0, width: 0, height: 5),
      tileSize: .init(width: 8, height: 8)
    )
    #expect(grid.count == 0)
  }

  @Test func regions() {
    let region = Region(left: 2, top: 3, width: 10, height: 5)
    #expect(region.right == 12 && region.bottom == 8)
    #expect(region.grown(by: 2) == Region(left: 0, top: 1, width: 14, height: 9))
    let common = region.intersection(Region(left: 8, top: 0, width: 10, height: 4))
    #expect(common == Region(left: 8, top: 3, width: 4, height: 1))
    #expect(region.intersection(Region(left: 12, top: 3, width: 1, height: 1)).isEmpty)
    #expect(region.contains(common) && !common.contains(region))
  }
}
