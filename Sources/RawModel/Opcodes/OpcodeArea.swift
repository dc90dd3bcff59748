package import Raster

/// Which samples an opcode works on: the area specification of DNG 1.7.1 chapter 7.
///
/// Places count from the corner of the image at the opcode's stage: the stored frame for list 1, the
/// active area for lists 2 and 3.
package struct OpcodeArea: Hashable, Sendable {
  package var top: Int
  package var left: Int
  /// The first row below the area.
  package var bottom: Int
  /// The first column right of the area.
  package var right: Int
  /// The first plane.
  package var plane: Int
  package var planes: Int
  /// Every so many rows from `top`.
  package var rowPitch: Int
  /// Every so many columns from `left`.
  package var columnPitch: Int

  package init(
    top: Int,
    left: Int,
    bottom: Int,
    right: Int,
    plane: Int = 0,
    planes: Int = 1,
    rowPitch: Int = 1,
    columnPitch: Int = 1
  ) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
    self.plane = plane
    self.planes = planes
    self.rowPitch = rowPitch
    self.columnPitch = columnPitch
  }

  /// Whether top and bottom or left and right leave nothing, which means the whole image.
  package var isWholeImage: Bool { top >= bottom || left >= right }

  /// The part of an image of this size that lies in the area, before the pitches thin it.
  package func region(in size: PixelSize) -> Region {
    guard !isWholeImage else { return Region(size: size) }
    return Region(left: left, top: top, width: right - left, height: bottom - top)
      .intersection(Region(size: size))
  }

  /// Whether a plane is among the area's.
  package func contains(plane: Int) -> Bool {
    plane >= self.plane && plane - self.plane < planes
  }

  /// Rows that the area names, of whatever image.
  package var rowCount: Int { Self.count(from: top, to: bottom, pitch: rowPitch) }
  /// Columns that the area names, of whatever image.
  package var columnCount: Int { Self.count(from: left, to: right, pitch: columnPitch) }

  private static func count(from start: Int, to end: Int, pitch: Int) -> Int {
    guard start < end, pitch > 0 else { return 0 }
    return (end - start - 1) / pitch + 1
  }
}
