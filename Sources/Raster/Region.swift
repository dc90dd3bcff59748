/// A rectangle of whole pixels; right and bottom are exclusive.
package struct Region: Hashable, Sendable {
  package var left: Int
  package var top: Int
  package var width: Int
  package var height: Int

  package init(left: Int, top: Int, width: Int, height: Int) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// The region at the origin with this size.
  package init(size: PixelSize) {
    self.init(left: 0, top: 0, width: size.width, height: size.height)
  }

  package var right: Int { left + width }
  package var bottom: Int { top + height }
  package var size: PixelSize { PixelSize(width: width, height: height) }
  package var isEmpty: Bool { width <= 0 || height <= 0 }
  package var columns: Range<Int> { left..<right }
  package var rows: Range<Int> { top..<bottom }

  /// The common part, or an empty region at this region's corner where there is none.
  package func intersection(_ other: Region) -> Region {
    let left = max(self.left, other.left)
    let top = max(self.top, other.top)
    let right = min(self.right, other.right)
    let bottom = min(self.bottom, other.bottom)
    guard left < right, top < bottom else {
      return Region(left: self.left, top: self.top, width: 0, height: 0)
    }
    return Region(left: left, top: top, width: right - left, height: bottom - top)
  }

  /// Whether every pixel of `other` lies within this region.
  package func contains(_ other: Region) -> Bool {
    other.left >= left && other.top >= top && other.right <= right && other.bottom <= bottom
  }

  /// This region grown by `halo` pixels on each side.
  package func grown(by halo: Int) -> Region {
    Region(left: left - halo, top: top - halo, width: width + 2 * halo, height: height + 2 * halo)
  }
}
