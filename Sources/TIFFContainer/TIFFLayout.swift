/// A TIFF structure with every offset resolved, and where the image data goes.
package struct TIFFLayout: Equatable, Sendable {
  /// Header, directories and values: the file up to the first segment.
  package let structure: [UInt8]
  /// The offset of each segment, in the order of the builders (a directory before those that hang
  /// from it); each is a multiple of 16.
  package let segmentOffsets: [Int]
  /// The segments whose bytes the builders hold, by their offsets, with the value that was bound to
  /// an offset where it stands behind the structure.
  package let contents: [(offset: Int, bytes: [UInt8])]
  /// The length of the whole file.
  package let byteCount: Int
  /// Bytes that are there only so that a value can stand at its offset.
  package let gapByteCount: Int

  package static func == (left: TIFFLayout, right: TIFFLayout) -> Bool {
    left.structure == right.structure && left.segmentOffsets == right.segmentOffsets
      && left.contents.elementsEqual(right.contents) { $0 == $1 }
      && left.byteCount == right.byteCount && left.gapByteCount == right.gapByteCount
  }

  /// The whole file, where the builders hold all of its segments; places that nothing was written to
  /// are zero.
  package func assembled() -> [UInt8] {
    var file: [UInt8] = []
    file.reserveCapacity(byteCount)
    file += structure
    for (offset, bytes) in contents {
      file += repeatElement(0, count: max(0, offset - file.count))
      file += bytes
    }
    return file
  }
}
