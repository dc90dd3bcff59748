package import Diagnostics
package import Raster

/// What can go wrong with a baseline JPEG (ITU-T T.81).
package enum JPEGError: Error, Equatable, Sendable {
  /// The bytes don't start with SOI.
  case noStartOfImage
  /// The stream ends before its frame header, or has something else where a marker must stand.
  case noFrame
  /// The data is damaged; the library's words.
  case damaged(String)
  /// The frame has another shape than the picture that it is to fill.
  case otherShape(frame: PixelSize, components: Int)
  /// More scans or memory than a picture of this size needs; the library's words.
  case limit(String)
  /// The picture can't be encoded; the library's words.
  case encoding(String)
}

extension JPEGError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .noStartOfImage: "jpegNoStart"
    case .noFrame: "jpegNoFrame"
    case .damaged: "jpegDamaged"
    case .otherShape: "jpegOtherShape"
    case .limit: "jpegLimit"
    case .encoding: "jpegEncoding"
    }
  }

  package var message: String {
    switch self {
    case .noStartOfImage:
      "the JPEG does not start with SOI"
    case .noFrame:
      "the JPEG has no frame header"
    case .damaged(let words):
      "the JPEG is damaged: \(words)"
    case .otherShape(let frame, let components):
      "the JPEG has \(frame) pixels of \(components) components, which is not the tile's shape"
    case .limit(let words):
      "the JPEG takes more than it may: \(words)"
    case .encoding(let words):
      "the picture can't be encoded as JPEG: \(words)"
    }
  }

  package var disposition: Disposition { .permanent }
}
