/// A file format that the encoders write.
package enum ImageFormat: String, CaseIterable, Sendable {
  case heic
  case tiff
  case dng
  case exr
  case npy
  /// Numbers about a raw, or a record of a picture, without pixels.
  case json

  /// The media type, registered or in use.
  package var mediaType: String {
    switch self {
    case .heic: "image/heic"
    case .tiff: "image/tiff"
    case .dng: "image/x-adobe-dng"
    case .exr: "image/x-exr"
    case .npy: "application/x-npy"
    case .json: "application/json"
    }
  }
}
