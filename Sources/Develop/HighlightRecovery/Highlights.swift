internal import Raster

/// Where a picture is clipped, and the colour of its highlights.
struct Highlights: Sendable {
  /// Pixels along a side of the squares in which clipping is looked for.
  static let square = 64

  /// In squares.
  let size: PixelSize
  /// In row order: whether a sample of the square may be clipped.
  let clipped: [Bool]
  let field: HighlightField

  /// Whether a sample of a region of the active area may be clipped; the picture's edges are mirrored
  /// beyond it.
  func isAnyClipped(in region: Region) -> Bool {
    func squares(_ pixels: Range<Int>, _ count: Int) -> Range<Int> {
      // Pixels beyond an edge stand for as many within it; the last square may be narrower.
      let beyond = max(pixels.upperBound - (count - 1) * Self.square, 0)
      let low = min(pixels.lowerBound, (count - 1) * Self.square - beyond)
      let high = max(pixels.upperBound, -pixels.lowerBound + 1)
      let first = min(max(low / Self.square, 0), count - 1)
      let last = min(max((high - 1) / Self.square, 0), count - 1)
      return first..<(max(first, last) + 1)
    }
    let columns = squares(region.columns, size.width)
    for row in squares(region.rows, size.height) {
      for column in columns where clipped[row * size.width + column] { return true }
    }
    return false
  }
}
