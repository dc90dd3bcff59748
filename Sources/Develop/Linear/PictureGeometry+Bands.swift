internal import Raster
internal import RawModel

extension PictureGeometry {
  /// The pixels that are written, of which some rows of the turned picture are made.
  func source(of rows: Range<Int>) -> Region {
    func mirrored(_ count: Int) -> Range<Int> { count - rows.upperBound..<count - rows.lowerBound }
    let lines: Range<Int>?
    let columns: Range<Int>?
    switch orientation {
    case .up, .upMirrored: (lines, columns) = (rows, nil)
    case .down, .downMirrored: (lines, columns) = (mirrored(shown.height), nil)
    case .leftMirrored, .right: (lines, columns) = (nil, rows)
    case .rightMirrored, .left: (lines, columns) = (nil, mirrored(shown.width))
    }
    return Region(
      left: shown.left + (columns?.lowerBound ?? 0),
      top: shown.top + (lines?.lowerBound ?? 0),
      width: columns?.count ?? shown.width,
      height: lines?.count ?? shown.height
    )
  }
}
