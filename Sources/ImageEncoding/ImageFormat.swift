/// A file format that the encoders write.
package enum ImageFormat: String, CaseIterable, Sendable {
  case heic
  case tiff

  /// The registered media type.
  package var mediaType: String {
    switch self {
    case .heic: "image/heic"
    case .tiff: "image/tiff"
    }
  }
}
