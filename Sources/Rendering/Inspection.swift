package import DNGFormat
package import Digest
package import RawDecoding

/// What a file is, by its content: the answer of `rawmill inspect`.
package struct Inspection: Equatable, Sendable {
  package var byteCount: Int
  /// Of the file.
  package var fileSHA256: SHA256Digest
  package var content: RawContent
  /// For DNGs.
  package var dng: DNGInspection?
  /// Of the stored samples before any linearisation, where it was asked for.
  package var mosaicSHA256: SHA256Digest?
  /// What is doubtful about a DNG that is read all the same, in sentences.
  package var warnings: [String] = []

  package init(
    byteCount: Int,
    fileSHA256: SHA256Digest,
    content: RawContent,
    dng: DNGInspection? = nil,
    mosaicSHA256: SHA256Digest? = nil
  ) {
    self.byteCount = byteCount
    self.fileSHA256 = fileSHA256
    self.content = content
    self.dng = dng
    self.mosaicSHA256 = mosaicSHA256
  }

  /// Whether a render takes it, if it is sound.
  package var isSupported: Bool {
    guard let dng else { return false }
    return dng.unsupported == nil
  }

  /// The kind of file in words (`DNG`, `Canon CRW`, `JPEG`).
  package var contentName: String {
    switch content {
    case .dng: "DNG"
    case .otherRaw(let name): name
    case .tiff: "TIFF"
    case .jpeg: "JPEG"
    case .otherImage(let name): name
    case .empty: "empty file"
    case .unknown: "unknown format"
    }
  }
}
