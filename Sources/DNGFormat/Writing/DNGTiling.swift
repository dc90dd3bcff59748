package import Raster

/// How a frame is cut into tiles that are coded alone.
package struct DNGTiling: Equatable, Sendable {
  /// Sides of a tile: multiples of 16 (TIFF 6.0 section 15).
  package let tileSize: PixelSize
  /// Tiles side by side and below each other; the last ones may reach over the frame.
  package let columnCount: Int
  package let rowCount: Int

  /// A tile this large codes a few hundred KB, which stays in a core's second-level cache, and makes
  /// the tables' hundred bytes negligible.
  private static let target = PixelSize(width: 512, height: 256)

  package var count: Int { columnCount * rowCount }

  /// Cuts a frame evenly into tiles of at most the target size.
  ///
  /// Two widths are avoided because LibRaw, to 0.22 at least, reads such files with their rows
  /// scrambled: tiles wider than the frame, and tiles as wide as the frame divided by `components`.
  ///
  /// - Parameters:
  ///   - frame: The stored frame; at least one pixel.
  ///   - components: Components of a tile's stream.
  package init(frame: PixelSize, components: Int) {
    func side(_ length: Int, parts: Int) -> Int {
      ((length + parts - 1) / parts + 15) / 16 * 16
    }
    func parts(_ length: Int, target: Int) -> Int { (length + target - 1) / target }
    let columns = parts(frame.width, target: Self.target.width)
    var width = side(frame.width, parts: columns)
    if width > frame.width { width = side(frame.width, parts: columns + 1) }
    if components > 1, width * components == frame.width { width += 16 }
    let height = side(frame.height, parts: parts(frame.height, target: Self.target.height))
    self.init(frame: frame, tileSize: PixelSize(width: width, height: height))
  }

  /// Cuts a frame evenly into nearly square tiles of about as many pixels, for codings whose tiles are
  /// coded as they are.
  init(frame: PixelSize, targetPixels: Int) {
    func side(_ length: Int, target: Int) -> Int {
      let parts = (length + target - 1) / target
      return ((length + parts - 1) / parts + 15) / 16 * 16
    }
    // A power of two, so that it is exact.
    var target = 16
    while 4 * target * target <= targetPixels { target *= 2 }
    self.init(
      frame: frame,
      tileSize: PixelSize(
        width: side(frame.width, target: target),
        height: side(frame.height, target: target)
      )
    )
  }

  /// Cuts a frame into tiles of one size that need be no multiple of anything, as cameras do.
  ///
  /// - Precondition: The sides are positive.
  init(frame: PixelSize, freeTileSize tileSize: PixelSize) {
    precondition(tileSize.width > 0 && tileSize.height > 0, "a tile needs a size")
    self.tileSize = tileSize
    columnCount = (frame.width + tileSize.width - 1) / tileSize.width
    rowCount = (frame.height + tileSize.height - 1) / tileSize.height
  }

  /// Cuts a frame into tiles of one size.
  ///
  /// - Precondition: The sides are positive multiples of 16.
  package init(frame: PixelSize, tileSize: PixelSize) {
    precondition(tileSize.width > 0 && tileSize.width % 16 == 0, "tile width")
    precondition(tileSize.height > 0 && tileSize.height % 16 == 0, "tile length")
    self.tileSize = tileSize
    columnCount = (frame.width + tileSize.width - 1) / tileSize.width
    rowCount = (frame.height + tileSize.height - 1) / tileSize.height
  }

  /// The pixels of a tile, also where it reaches over the frame.
  package func region(_ index: Int) -> Region {
    let (row, column) = index.quotientAndRemainder(dividingBy: columnCount)
    return Region(
      left: column * tileSize.width,
      top: row * tileSize.height,
      width: tileSize.width,
      height: tileSize.height
    )
  }
}
