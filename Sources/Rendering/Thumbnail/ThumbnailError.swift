package import Diagnostics
package import ImageEncoding
package import JPEGCodec
package import Raster
package import TIFFContainer

/// Why there is no small picture of a file.
package enum ThumbnailError: Error, Equatable, Sendable {
  /// The file is of no format that people look at, or has no preview.
  case noPicture
  case heic(ImageEncodingError)
  case container(TIFFReadError)
  case jpeg(JPEGError)
  /// Memory was refused.
  case raster(RasterError)
  /// Even at the lowest quality it has more bytes than it may.
  case tooManyBytes(count: Int, limit: Int)
}

extension ThumbnailError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .noPicture: "noPicture"
    case .heic(let error): error.code
    case .container(let error): error.code
    case .jpeg(let error): error.code
    case .raster(let error): error.code
    case .tooManyBytes: "thumbnailTooLarge"
    }
  }

  package var message: String {
    switch self {
    case .noPicture:
      "it is no HEIC, no TIFF of plain RGB, and no DNG with a preview"
    case .heic(let error): error.message
    case .container(let error): error.message
    case .jpeg(let error): error.message
    case .raster(let error): error.message
    case .tooManyBytes(let count, let limit):
      "its small picture has \(count) bytes, more than \(limit)"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .raster(let error): error.disposition
    default: .permanent
    }
  }
}
