import DNGFormat
import Raster
import Testing

@Suite struct DNGTilingTests {
  @Test(
    "Photographs are cut with little over their edges, in tiles of a few hundred KB",
    arguments: [
      (4000, 3000), (6000, 4000), (4032, 3024), (8256, 5504), (5184, 3456), (6048, 4038),
      (1888, 1182), (11_648, 8736),
    ]
  )
  func photographs(width: Int, height: Int) {
    let frame = PixelSize(width: width, height: height)
    let tiling = DNGTiling(frame: frame, components: 2)
    let tile = tiling.tileSize
    #expect(tile.width % 16 == 0 && tile.height % 16 == 0)
    #expect((65_536...163_840).contains(tile.pixelCount), "\(tile)")
    #expect(tiling.columnCount * tile.width >= width && tiling.rowCount * tile.height >= height)
    #expect(tiling.columnCount * tile.width < width + tile.width)
    let coded = Double(tiling.count * tile.pixelCount)
    #expect(coded / Double(frame.pixelCount) < 1.015, "\(tile)")
    #expect(tile.width * 2 != width && tile.width <= width)
  }

  @Test(
    "Any frame is covered; LibRaw's two faults are avoided",
    arguments: [
      (1, 1), (15, 1), (16, 16), (17, 2000), (40_000, 1), (1, 40_000), (512, 300), (1024, 300),
      (64, 48), (32, 20_000), (65_535, 16),
      (16, 9),
    ]
  )
  func anyFrame(width: Int, height: Int) {
    for components in 1...4 {
      let tiling = DNGTiling(
        frame: PixelSize(width: width, height: height),
        components: components
      )
      let tile = tiling.tileSize
      #expect(tile.width % 16 == 0 && tile.height % 16 == 0)
      #expect(tiling.columnCount * tile.width >= width && tiling.rowCount * tile.height >= height)
      #expect(tile.width <= max(32, width))
      #expect(components == 1 || tile.width * components != width, "\(components): \(tile)")
    }
  }
}
