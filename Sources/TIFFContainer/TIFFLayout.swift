/// A TIFF structure with every offset resolved, and where the image data goes.
package struct TIFFLayout: Equatable, Sendable {
  /// Header, directories and values: the file up to the first segment.
  package let structure: [UInt8]
  /// The offset of each segment, in the order of the builders (a directory before those that hang
  /// from it); each is a multiple of 16.
  package let segmentOffsets: [Int]
  /// The length of the whole file.
  package let byteCount: Int
}
