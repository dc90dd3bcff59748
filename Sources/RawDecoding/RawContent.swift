/// What a file is, by its content; its name doesn't count.
package enum RawContent: Equatable, Sendable {
  /// A TIFF structure with DNGVersion in IFD 0.
  case dng
  /// Another camera raw, by the usual name of its format (`Canon CRW`, `Nikon NEF`).
  case otherRaw(String)
  /// A TIFF without DNGVersion and without a camera maker's name that marks a raw.
  case tiff
  case jpeg
  /// Another known format that is no raw (`PNG`, `HEIF`, `JPEG XL`).
  case otherImage(String)
  case empty
  case unknown

  /// Whether it is a camera raw of any kind: what a scan of a folder takes.
  package var isRaw: Bool {
    switch self {
    case .dng, .otherRaw: true
    case .tiff, .jpeg, .otherImage, .empty, .unknown: false
    }
  }
}
