package import Digest

/// One output file as it was published.
package struct OutputRecord: Equatable, Sendable {
  /// The identifier of the output in its recipe (`heic`, `heic2`).
  package var id: String
  package var location: FileLocation
  /// Bytes.
  package var size: Int64
  package var sha256: SHA256Digest
  /// Pixels; nil for an output that is no picture.
  package var width: Int?
  package var height: Int?
  /// `heic`, `tiff`.
  package var format: String
  /// `displayP3`.
  package var colorSpace: String?
  /// Bits per sample.
  package var bitDepth: Int?

  package init(
    id: String,
    location: FileLocation,
    size: Int64,
    sha256: SHA256Digest,
    width: Int? = nil,
    height: Int? = nil,
    format: String,
    colorSpace: String? = nil,
    bitDepth: Int? = nil
  ) {
    self.id = id
    self.location = location
    self.size = size
    self.sha256 = sha256
    self.width = width
    self.height = height
    self.format = format
    self.colorSpace = colorSpace
    self.bitDepth = bitDepth
  }
}
