package import Raster

/// How the stored picture is to be turned for viewing: Exif Orientation (274).
package enum Orientation: Int, CaseIterable, Sendable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether width and height change places.
  package var isTransposed: Bool { rawValue >= 5 }

  /// The size of the turned picture.
  package func turned(_ size: PixelSize) -> PixelSize {
    isTransposed ? size.transposed : size
  }
}
