/// A file format that the encoders write.
package enum ImageFormat: String, CaseIterable, Sendable {
  case heic
  case tiff
  case dng
  /// Numbers about a raw, without pixels.
  case json

  /// The registered media type.
  package var mediaType: String {
    switch self {
    case .heic: "image/heic"
    case .tiff: "image/tiff"
    case .dng: "image/x-adobe-dng"
    case .json: "application/json"
    }
  }
}
