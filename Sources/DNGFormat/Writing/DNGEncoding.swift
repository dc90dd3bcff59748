package import Raster

/// How the samples of a DNG are stored.
package enum DNGEncoding: Equatable, Sendable {
  /// Lossless JPEG tiles; a Bayer tile as two components of half its width.
  ///
  /// A tile size of nil leaves the choice to the writer; its sides are multiples of 16.
  case losslessJPEG(predictor: LosslessJPEGPredictor = .left, tileSize: PixelSize? = nil)
  /// One strip of packed samples: high bits first, rows padded to whole bytes; 8 and 16 bits as they
  /// are.
  case uncompressed

  /// The value of Compression (259).
  var compression: DNGCompression {
    switch self {
    case .losslessJPEG: .jpeg
    case .uncompressed: .uncompressed
    }
  }
}
