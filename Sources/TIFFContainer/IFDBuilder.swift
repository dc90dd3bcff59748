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
    /// Blocks of bytes; the entry holds their offsets.
    case blocks([[UInt8]])
    /// Bytes that must stand at this offset of the file.
    case pinned([UInt8], offset: Int)
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
  /// The strips or tiles, where they were given and not only announced.
  private(set) var segments: [[UInt8]] = []

  package init() {}

  /// Whether no entry is set; an empty IFD is not legal TIFF.
  package var isEmpty: Bool { entries.isEmpty }

  /// Whether the tag is set.
  package func contains(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

  /// The tags that are set, in ascending order.
  package var tags: [TIFFTag] { entries.keys.sorted() }

  /// Takes the entry away, if there is one.
  package mutating func remove(_ tag: TIFFTag) { entries[tag] = nil }

  /// Keeps the entries of `tags` alone.
  package mutating func keep(_ tags: Set<TIFFTag>) {
    entries = entries.filter { tags.contains($0.key) }
  }

  /// Takes over all entries of another directory, and its image data where it has some; what is set
  /// twice is then the other's.
  package mutating func merge(_ other: IFDBuilder) {
    entries.merge(other.entries) { _, new in new }
    guard !other.segmentByteCounts.isEmpty else { return }
    segmentByteCounts = other.segmentByteCounts
    segments = other.segments
  }

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

  /// Sets bytes (UNDEFINED) that are written at `offset` of the file and nowhere else, such as a maker
  /// note with pointers into itself.
  ///
  /// - Precondition: `offset` is behind the header; a file has one such value at the most.
  package mutating func set(_ tag: TIFFTag, undefined bytes: [UInt8], at offset: Int) {
    precondition(offset >= 8, "no place for a value")
    // Up to four bytes stand in the entry itself.
    guard bytes.count > 4 else { return set(tag, undefined: bytes) }
    entries[tag] = Entry(
      type: .undefined,
      count: bytes.count,
      content: .pinned(bytes, offset: offset)
    )
  }

  /// Hangs blocks of bytes from `tag` by LONG offsets; each starts at an even one.
  package mutating func set(_ tag: TIFFTag, blocks: [[UInt8]]) {
    guard !blocks.isEmpty else { return remove(tag) }
    entries[tag] = Entry(type: .long, count: blocks.count, content: .blocks(blocks))
  }

  /// Sets image data: strips or tiles, by the two tags that list them.
  ///
  /// - Precondition: There is at least one segment.
  package mutating func setImageData(
    offsets: TIFFTag,
    byteCounts: TIFFTag,
    segments: [[UInt8]]
  ) {
    setImageData(
      offsets: offsets,
      byteCounts: byteCounts,
      segmentByteCounts: segments.map(\.count)
    )
    self.segments = segments
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
    segments = []
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
