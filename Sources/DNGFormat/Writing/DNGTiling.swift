package import Raster

/// How a frame is cut into tiles that are coded alone.
package struct DNGTiling: Equatable, Sendable {
  /// Sides of a tile: multiples of 16 (TIFF 6.0 section 15).
  package let tileSize: PixelSize
  /// Tiles side by side and below each other; the last ones may reach over the frame.
  package let columnCount: Int
  package let rowCount: Int

  /// Pixels of a tile: it codes a few hundred KB, which stays in a core's second-level cache, and its tables
  /// take little of the time.
  private static let pixels = 64 << 10...160 << 10

  package var count: Int { columnCount * rowCount }

  /// Cuts a frame into the tiles that take the fewest bytes as lossless JPEG.
  ///
  /// What tiles reach over the frame is flat, but its zeros take short codes from the picture's differences:
  /// 0.45 bytes a pixel, measured on photographs of 12 megapixels; a tile's header and tables take 110. Much
  /// of the first is gone where a side of the frame is cut into even multiples of 16.
  ///
  /// Two widths are avoided because LibRaw, to 0.22 at least, reads such files with their rows
  /// scrambled: tiles wider than the frame, and tiles as wide as the frame divided by `components`.
  ///
  /// - Parameters:
  ///   - frame: The stored frame; at least one pixel.
  ///   - components: Components of a tile's stream.
  package init(frame: PixelSize, components: Int) {
    func cost(_ size: PixelSize) -> Double {
      let tiling = DNGTiling(frame: frame, freeTileSize: size)
      let padding = Double(tiling.count) * Double(size.pixelCount) - Double(frame.pixelCount)
      return padding * 0.45 + Double(tiling.count) * 110
    }
    func best(_ pixels: ClosedRange<Int>) -> PixelSize? {
      var best: (size: PixelSize, cost: Double)?
      for width in stride(from: 16, through: min(1024, max(16, frame.width)), by: 16)
      where components < 2 || width * components != frame.width {
        for height in stride(from: 16, through: min(768, (frame.height + 15) / 16 * 16), by: 16) {
          let size = PixelSize(width: width, height: height)
          guard pixels.contains(size.pixelCount) else { continue }
          let cost = cost(size)
          if best.map({ cost < $0.cost }) ?? true { best = (size, cost) }
        }
      }
      return best?.size
    }
    // A frame of a few tiles at most may have smaller ones, one that is narrow and long must.
    let isLarge = frame.pixelCount >= 4 * Self.pixels.lowerBound
    let size = (isLarge ? best(Self.pixels) : nil) ?? best(0...Self.pixels.upperBound)
    // A frame of 16 columns and two components has no width but the one to avoid.
    self.init(frame: frame, tileSize: size ?? PixelSize(width: 32, height: 16))
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
