/// What an output file says of the photograph, beside the pixels.
package struct ImageMetadata: Equatable, Sendable {
  /// A complete TIFF structure (`II*` or `MM*` first) with IFD0, Exif and GPS; its Orientation is 1,
  /// because the pixels were turned.
  package var exifBlock: [UInt8]?

  package init(exifBlock: [UInt8]? = nil) {
    self.exifBlock = exifBlock
  }
}
