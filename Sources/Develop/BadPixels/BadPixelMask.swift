internal import Raster
internal import RawModel

/// Which photosites of an image are bad: one bit each.
struct BadPixelMask: Sendable {
  let size: PixelSize
  private let rowWords: Int
  private var words: [UInt64]
  private(set) var isEmpty = true

  init(size: PixelSize) {
    self.size = size
    rowWords = (size.width + 63) / 64
    words = Array(repeating: 0, count: rowWords * size.height)
  }

  /// Points and rectangles of a list; what lies outside the image is left out.
  init(_ list: FixBadPixelsList, size: PixelSize) {
    self.init(size: size)
    for point in list.points {
      let (x, y) = (Int(point.column), Int(point.row))
      if x < size.width, y < size.height { insert(x: x, y: y) }
    }
    for rectangle in list.rectangles {
      let region = rectangle.intersection(Region(size: size))
      guard !region.isEmpty else { continue }
      for y in region.rows {
        for x in region.columns { insert(x: x, y: y) }
      }
    }
  }

  mutating func insert(x: Int, y: Int) {
    words[y * rowWords + x >> 6] |= 1 << UInt64(x & 63)
    isEmpty = false
  }

  /// Whether a photosite lies in the image and is not bad.
  @inline(__always)
  func isGood(x: Int, y: Int) -> Bool {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return false }
    return words[y * rowWords + x >> 6] & (1 << UInt64(x & 63)) == 0
  }

  /// Calls `body` with the columns of the bad photosites of a row, from left to right.
  @inline(__always)
  func forEachBad(inRow y: Int, _ body: (Int) -> Void) {
    for word in 0..<rowWords {
      var bits = words[y * rowWords + word]
      while bits != 0 {
        body(word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }

  /// Whether a row has any.
  func hasBad(inRow y: Int) -> Bool {
    words[y * rowWords..<(y + 1) * rowWords].contains { $0 != 0 }
  }
}
