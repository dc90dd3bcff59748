/// A file with a TIFF structure, in memory: its header and the way to its IFDs.
///
/// Reading is safe for any bytes: each offset and each count is checked against the file before use,
/// and loops end at limits. The file's bytes are shared by all the IFDs read from it.
package struct TIFFFile: Sendable {
  package let bytes: [UInt8]
  package let byteOrder: TIFFByteOrder
  /// Version 43, with 8-byte offsets (BigTIFF), rather than 42.
  package let isBigTIFF: Bool
  package let firstDirectoryOffset: UInt64
  package let limits: TIFFReadLimits

  /// Reads the header.
  ///
  /// - Throws: `notTIFF`, `truncatedHeader`, `bigTIFFOffsetSize`.
  package init(
    _ bytes: [UInt8],
    limits: TIFFReadLimits = TIFFReadLimits()
  ) throws(TIFFReadError) {
    guard bytes.count >= 2 else { throw .notTIFF }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): byteOrder = .littleEndian
    case (0x4D, 0x4D): byteOrder = .bigEndian
    default: throw .notTIFF
    }
    guard bytes.count >= 8 else { throw .truncatedHeader(fileSize: bytes.count) }
    self.bytes = bytes
    self.limits = limits
    switch byteOrder.uint16(bytes, at: 2) {
    case 42:
      isBigTIFF = false
      firstDirectoryOffset = UInt64(byteOrder.uint32(bytes, at: 4))
    case 43:
      guard bytes.count >= 16 else { throw .truncatedHeader(fileSize: bytes.count) }
      isBigTIFF = true
      let offsetSize = Int(byteOrder.uint16(bytes, at: 4))
      guard offsetSize == 8 else { throw .bigTIFFOffsetSize(offsetSize) }
      firstDirectoryOffset = byteOrder.uint64(bytes, at: 8)
    default: throw .notTIFF
    }
  }

  /// The IFD at `offset`; its entries may stand in any order.
  ///
  /// - Throws: `directoryOutsideFile`, `emptyDirectory`, `tooManyEntries`.
  package func directory(
    at offset: UInt64,
    named name: String
  ) throws(TIFFReadError) -> TIFFDirectory {
    let outside = TIFFReadError.directoryOutsideFile(
      directory: name,
      offset: offset,
      fileSize: bytes.count
    )
    let countSize = isBigTIFF ? 8 : 2
    let entrySize = isBigTIFF ? 20 : 12
    let linkSize = isBigTIFF ? 8 : 4
    guard let start = position(offset, byteCount: countSize), start >= 8 else { throw outside }
    let count =
      isBigTIFF
      ? byteOrder.uint64(bytes, at: start) : UInt64(byteOrder.uint16(bytes, at: start))
    guard count > 0 else { throw .emptyDirectory(directory: name) }
    guard count <= limits.entries else {
      throw .tooManyEntries(directory: name, count: count, limit: limits.entries)
    }
    let entryCount = Int(count)
    let entriesSize = entryCount * entrySize
    guard position(offset, byteCount: countSize + entriesSize + linkSize) != nil else {
      throw outside
    }
    var entries: [TIFFEntry] = []
    entries.reserveCapacity(entryCount)
    for index in 0..<entryCount {
      entries.append(entry(at: start + countSize + index * entrySize))
    }
    let link = start + countSize + entriesSize
    let next =
      isBigTIFF ? byteOrder.uint64(bytes, at: link) : UInt64(byteOrder.uint32(bytes, at: link))
    return TIFFDirectory(
      file: self,
      name: name,
      offset: offset,
      entries: entries,
      nextOffset: next
    )
  }

  /// `byteCount` bytes at `offset`, as an index into `bytes`; nil where they reach outside the file.
  package func position(_ offset: UInt64, byteCount: Int) -> Int? {
    guard byteCount >= 0, let start = Int(exactly: offset) else { return nil }
    let (end, overflow) = start.addingReportingOverflow(byteCount)
    guard !overflow, end <= bytes.count else { return nil }
    return start
  }

  /// The entry whose bytes start at `start`, which lie within the file.
  private func entry(at start: Int) -> TIFFEntry {
    let tag = TIFFTag(rawValue: byteOrder.uint16(bytes, at: start))
    let storedType = byteOrder.uint16(bytes, at: start + 2)
    let count: UInt64
    let valueField: Int
    let fieldSize: UInt64
    if isBigTIFF {
      count = byteOrder.uint64(bytes, at: start + 4)
      valueField = start + 12
      fieldSize = 8
    } else {
      count = UInt64(byteOrder.uint32(bytes, at: start + 4))
      valueField = start + 8
      fieldSize = 4
    }
    let valueSize = UInt64(TIFFFieldType(rawValue: storedType)?.byteCount ?? 1)
    let (total, overflow) = count.multipliedReportingOverflow(by: valueSize)
    if !overflow && total <= fieldSize {
      return TIFFEntry(
        tag: tag,
        storedType: storedType,
        count: count,
        valueOffset: UInt64(valueField),
        isInline: true
      )
    }
    let offset =
      isBigTIFF
      ? byteOrder.uint64(bytes, at: valueField)
      : UInt64(byteOrder.uint32(bytes, at: valueField))
    return TIFFEntry(
      tag: tag,
      storedType: storedType,
      count: count,
      valueOffset: offset,
      isInline: false
    )
  }
}
