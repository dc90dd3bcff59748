/// An IFD to be written: entries by tag, directories that hang from it, and image data.
///
/// Values are set in any order and are written in ascending order of their tags; a value that is set
/// again replaces the first. `TIFFWriter` turns builders into bytes.
package struct IFDBuilder: Equatable, Sendable {
  /// What an entry points at or holds.
  enum Content: Equatable, Sendable {
    /// Values, each element little-endian.
    case values([UInt8])
    /// Directories; the entry holds their offsets.
    case directories([IFDBuilder])
    /// The offsets of the image data's segments, known when the file is laid out.
    case segmentOffsets
  }

  /// One entry before layout.
  struct Entry: Equatable, Sendable {
    var type: TIFFFieldType
    var count: Int
    var content: Content
  }

  private(set) var entries: [TIFFTag: Entry] = [:]
  /// The length of each strip or tile, in the order of their offsets.
  private(set) var segmentByteCounts: [Int] = []

  package init() {}

  /// Whether no entry is set; an empty IFD is not legal TIFF.
  package var isEmpty: Bool { entries.isEmpty }

  /// Whether the tag is set.
  package func contains(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

  /// Takes the entry away, if there is one.
  package mutating func remove(_ tag: TIFFTag) { entries[tag] = nil }

  /// Sets values from bytes as they stand in a file of `byteOrder`, as when an entry is copied.
  ///
  /// - Precondition: `bytes` is a whole number of values.
  package mutating func set(
    _ tag: TIFFTag,
    type: TIFFFieldType,
    bytes: [UInt8],
    byteOrder: TIFFByteOrder = .littleEndian
  ) {
    precondition(bytes.count % type.byteCount == 0, "half a value")
    var values = bytes
    if byteOrder == .bigEndian {
      reverseElements(of: &values, elementByteCount: type.elementByteCount)
    }
    entries[tag] = Entry(type: type, count: bytes.count / type.byteCount, content: .values(values))
  }

  /// Hangs directories from `tag` (SubIFDs, ExifIFD, GPSIFD) by LONG offsets.
  ///
  /// Empty directories are left out; if none is left, the tag is not set.
  package mutating func set(_ tag: TIFFTag, directories: [IFDBuilder]) {
    let filled = directories.filter { !$0.isEmpty }
    guard !filled.isEmpty else { return remove(tag) }
    entries[tag] = Entry(type: .long, count: filled.count, content: .directories(filled))
  }

  /// Announces image data: strips or tiles of these lengths, by the two tags that list them.
  ///
  /// - Precondition: There is at least one segment, and none is negative.
  package mutating func setImageData(
    offsets: TIFFTag,
    byteCounts: TIFFTag,
    segmentByteCounts: [Int]
  ) {
    precondition(!segmentByteCounts.isEmpty && segmentByteCounts.allSatisfy { $0 >= 0 })
    self.segmentByteCounts = segmentByteCounts
    // A segment over 4 GiB is refused when the file is laid out, before its length is written.
    set(byteCounts, longs: segmentByteCounts.map { UInt32(clamping: $0) })
    entries[offsets] = Entry(
      type: .long,
      count: segmentByteCounts.count,
      content: .segmentOffsets
    )
  }
}

/// Turns each element of `bytes` round.
func reverseElements(of bytes: inout [UInt8], elementByteCount: Int) {
  guard elementByteCount > 1 else { return }
  var start = 0
  while start + elementByteCount <= bytes.count {
    bytes[start..<start + elementByteCount].reverse()
    start += elementByteCount
  }
}
