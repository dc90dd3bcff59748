/// Lays TIFF structures out: header, all directories with their values, then image data.
///
/// TIFF 6.0 section 2: entries ascend by tag, values start at even offsets. Image data is aligned to
/// 16 bytes and follows everything else, so that a reader finds all directories in the first pages.
package struct TIFFWriter {
  /// The length that 32-bit offsets allow.
  package static let byteLimit = Int(UInt32.max)
  private static let segmentAlignment = 16

  private let byteOrder: TIFFByteOrder
  private var bytes: [UInt8] = []
  /// Where the offset of each segment is to be written, and the segment's length.
  private var pendingSegments: [(position: Int, byteCount: Int, bytes: [UInt8]?)] = []
  /// The one value that is bound to an offset: nothing else may stand there.
  private let pinned: (offset: Int, bytes: [UInt8])?

  private init(byteOrder: TIFFByteOrder, pinned: (offset: Int, bytes: [UInt8])?) {
    self.byteOrder = byteOrder
    self.pinned = pinned
  }

  /// The bytes of a structure without image data, such as an Exif block.
  ///
  /// - Precondition: No directory has image data.
  package static func serialize(
    _ directories: [IFDBuilder],
    byteOrder: TIFFByteOrder = .littleEndian
  ) throws(TIFFWritingError) -> [UInt8] {
    let layout = try layOut(directories, byteOrder: byteOrder)
    precondition(layout.segmentOffsets.isEmpty, "image data needs layOut")
    return layout.structure
  }

  /// Resolves all offsets of a file whose first directory is `directories[0]`.
  ///
  /// - Precondition: There is at least one directory and none is empty.
  package static func layOut(
    _ directories: [IFDBuilder],
    byteOrder: TIFFByteOrder = .littleEndian
  ) throws(TIFFWritingError) -> TIFFLayout {
    precondition(!directories.isEmpty && directories.allSatisfy { !$0.isEmpty })
    let pinned = directories.flatMap(\.pinnedValues)
    precondition(pinned.count <= 1, "one value at the most has its place")
    var writer = TIFFWriter(byteOrder: byteOrder, pinned: pinned.first)
    writer.appendHeader()
    var link = 4
    for directory in directories {
      link = try writer.append(directory, linkedFrom: link)
    }
    return try writer.placeSegments()
  }

  private mutating func appendHeader() {
    switch byteOrder {
    case .littleEndian: bytes += Array("II".utf8)
    case .bigEndian: bytes += Array("MM".utf8)
    }
    bytes += ordered(UInt16(42))
    bytes += ordered(UInt32(0))
  }

  /// Appends a directory with its values and the directories below it.
  ///
  /// - Returns: The position of its link to a next directory.
  private mutating func append(
    _ directory: IFDBuilder,
    linkedFrom link: Int
  ) throws(TIFFWritingError) -> Int {
    let start = try reserve(2 + 12 * directory.entries.count + 4)
    try patch(start, at: link)
    replace(ordered(UInt16(directory.entries.count)), at: start)
    var position = start + 2
    for (tag, entry) in directory.entries.sorted(by: { $0.key < $1.key }) {
      replace(ordered(tag.rawValue), at: position)
      replace(ordered(entry.type.rawValue), at: position + 2)
      try patch(entry.count, at: position + 4)
      try append(entry.content, of: entry, in: directory, at: position + 8)
      position += 12
    }
    return position
  }

  /// Writes an entry's value, or the offset of its values, into the four bytes at `position`.
  private mutating func append(
    _ content: IFDBuilder.Content,
    of entry: IFDBuilder.Entry,
    in directory: IFDBuilder,
    at position: Int
  ) throws(TIFFWritingError) {
    let byteCount = entry.count * entry.type.byteCount
    var valuePosition = position
    if case .pinned(_, let offset) = content { return try patch(offset, at: position) }
    if byteCount > 4 {
      valuePosition = try reserve(byteCount)
      try patch(valuePosition, at: position)
    }
    switch content {
    case .values(let values):
      var values = values
      if byteOrder == .bigEndian {
        reverseElements(of: &values, elementByteCount: entry.type.elementByteCount)
      }
      replace(values, at: valuePosition)
    case .directories(let children):
      for (index, child) in children.enumerated() {
        _ = try append(child, linkedFrom: valuePosition + 4 * index)
      }
    case .segmentOffsets:
      for (index, byteCount) in directory.segmentByteCounts.enumerated() {
        let bytes = directory.segments.isEmpty ? nil : directory.segments[index]
        pendingSegments.append((valuePosition + 4 * index, byteCount, bytes))
      }
    case .blocks(let blocks):
      for (index, block) in blocks.enumerated() {
        let start = try reserve(block.count)
        try patch(start, at: valuePosition + 4 * index)
        replace(block, at: start)
      }
    case .pinned:
      break
    }
  }

  private consuming func placeSegments() throws(TIFFWritingError) -> TIFFLayout {
    var end = bytes.count
    var contents: [(offset: Int, bytes: [UInt8])] = []
    var isPinnedPlaced = pinned == nil
    var gap = 0
    // Within the structure, which has kept its place free, or behind it.
    if let pinned, pinned.offset < end {
      replace(pinned.bytes, at: pinned.offset)
      isPinnedPlaced = true
    }
    var offsets: [Int] = []
    for segment in pendingSegments {
      var (start, segmentEnd) = try Self.place(segment.byteCount, from: end)
      if let pinned, !isPinnedPlaced, segmentEnd > pinned.offset {
        // The first segment that doesn't fit before it goes behind it.
        gap += pinned.offset - end
        contents.append((pinned.offset, pinned.bytes))
        isPinnedPlaced = true
        (start, segmentEnd) = try Self.place(
          segment.byteCount,
          from: pinned.offset + pinned.bytes.count
        )
      }
      try patch(start, at: segment.position)
      offsets.append(start)
      if let bytes = segment.bytes { contents.append((start, bytes)) }
      end = segmentEnd
    }
    if let pinned, !isPinnedPlaced {
      gap += pinned.offset - end
      contents.append((pinned.offset, pinned.bytes))
      end = pinned.offset + pinned.bytes.count
      guard end <= Self.byteLimit else {
        throw .fileTooLarge(byteCount: end, limit: Self.byteLimit)
      }
    }
    let firstOffset = min(offsets.first ?? .max, contents.first?.offset ?? .max)
    if firstOffset < .max {
      bytes += [UInt8](repeating: 0, count: firstOffset - bytes.count)
    }
    return TIFFLayout(
      structure: bytes,
      segmentOffsets: offsets,
      contents: contents,
      byteCount: end,
      gapByteCount: gap
    )
  }

  /// Where the next segment behind `end` stands.
  private static func place(
    _ byteCount: Int,
    from end: Int
  ) throws(TIFFWritingError) -> (start: Int, end: Int) {
    let (padded, overflowed) = end.addingReportingOverflow(segmentAlignment - 1)
    let start = padded / segmentAlignment * segmentAlignment
    let (newEnd, overflowedEnd) = start.addingReportingOverflow(byteCount)
    guard !overflowed, !overflowedEnd, newEnd <= byteLimit else {
      throw .fileTooLarge(
        byteCount: overflowed || overflowedEnd ? .max : newEnd,
        limit: byteLimit
      )
    }
    return (start, newEnd)
  }

  /// Appends zeros from the next even offset on and returns that offset.
  private mutating func reserve(_ byteCount: Int) throws(TIFFWritingError) -> Int {
    var start = (bytes.count + 1) / 2 * 2
    var end = start + byteCount
    if let pinned, end > pinned.offset, start < pinned.offset + pinned.bytes.count {
      start = (pinned.offset + pinned.bytes.count + 1) / 2 * 2
      end = start + byteCount
    }
    guard end <= Self.byteLimit else {
      throw .fileTooLarge(byteCount: end, limit: Self.byteLimit)
    }
    bytes += [UInt8](repeating: 0, count: end - bytes.count)
    return start
  }

  private mutating func patch(_ number: Int, at position: Int) throws(TIFFWritingError) {
    guard let value = UInt32(exactly: number) else {
      throw .fileTooLarge(byteCount: number, limit: Self.byteLimit)
    }
    replace(ordered(value), at: position)
  }

  private mutating func replace(_ values: [UInt8], at position: Int) {
    bytes.replaceSubrange(position..<position + values.count, with: values)
  }

  private func ordered<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    let bytes = littleEndianBytes(value)
    return byteOrder == .littleEndian ? bytes : bytes.reversed()
  }
}

extension IFDBuilder {
  /// The values of this directory and those below it that are bound to an offset.
  fileprivate var pinnedValues: [(offset: Int, bytes: [UInt8])] {
    entries.values.flatMap { entry -> [(offset: Int, bytes: [UInt8])] in
      switch entry.content {
      case .pinned(let bytes, let offset): [(offset, bytes)]
      case .directories(let children): children.flatMap(\.pinnedValues)
      case .values, .segmentOffsets, .blocks: []
      }
    }
  }
}
