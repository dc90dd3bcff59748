import Raster
import RawModel

extension Orientation {
  /// Where pixel (`x`, `y`) of a stored picture of this size is seen: Exif 2.32, Orientation, naively.
  func place(_ x: Int, _ y: Int, in stored: PixelSize) -> (x: Int, y: Int) {
    let (right, below) = (stored.width - 1 - x, stored.height - 1 - y)
    return switch self {
    case .up: (x, y)
    case .upMirrored: (right, y)
    case .down: (right, below)
    case .downMirrored: (x, below)
    case .leftMirrored: (y, x)
    case .right: (below, x)
    case .rightMirrored: (below, right)
    case .left: (y, right)
    }
  }
}
