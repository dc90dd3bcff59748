internal import TIFFContainer

/// IFD 0 as far as telling formats apart needs it, from pieces of a file.
struct SniffedDirectory {
  private let byteOrder: TIFFByteOrder
  private let isBigTIFF: Bool
  private let fileSize: Int
  private let entries: [UInt8]

  private var entrySize: Int { isBigTIFF ? 20 : 12 }

  /// Nil where the IFD lies outside the file, is empty or has more entries than any camera writes.
  init?<Failure: Error>(
    offset: UInt64,
    isBigTIFF: Bool,
    byteOrder: TIFFByteOrder,
    fileSize: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let countSize = isBigTIFF ? 8 : 2
    guard offset >= 8, let start = Int(exactly: offset), start <= fileSize - countSize else {
      return nil
    }
    let countBytes = try read(start, countSize)
    guard countBytes.count == countSize else { return nil }
    let count =
      isBigTIFF
      ? byteOrder.uint64(countBytes, at: 0) : UInt64(byteOrder.uint16(countBytes, at: 0))
    guard (1...4096).contains(count) else { return nil }
    let size = Int(count) * (isBigTIFF ? 20 : 12)
    guard size <= fileSize - start - countSize else { return nil }
    entries = try read(start + countSize, size)
    guard entries.count == size else { return nil }
    self.byteOrder = byteOrder
    self.isBigTIFF = isBigTIFF
    self.fileSize = fileSize
  }

  func has(_ tag: TIFFTag) -> Bool { position(tag) != nil }

  /// A Compression of a camera maker's own.
  var hasPrivateCompression: Bool {
    guard let start = position(.compression) else { return false }
    let value = byteOrder.uint16(entries, at: start + (isBigTIFF ? 12 : 8))
    return [32_767, 32_769, 34_713, 65_000, 65_535].contains(value)
  }

  /// The first 64 bytes of a text, up to its NUL.
  func text<Failure: Error>(
    _ tag: TIFFTag,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> String? {
    guard let start = position(tag) else { return nil }
    let count =
      isBigTIFF
      ? byteOrder.uint64(entries, at: start + 4) : UInt64(byteOrder.uint32(entries, at: start + 4))
    let field = start + (isBigTIFF ? 12 : 8)
    let inlineSize = isBigTIFF ? 8 : 4
    let length = Int(min(64, count))
    var bytes: [UInt8]
    if count <= inlineSize {
      bytes = Array(entries[field..<field + length])
    } else {
      let offset =
        isBigTIFF
        ? byteOrder.uint64(entries, at: field) : UInt64(byteOrder.uint32(entries, at: field))
      guard let place = Int(exactly: offset), place <= fileSize - length else { return nil }
      bytes = try read(place, length)
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private func position(_ tag: TIFFTag) -> Int? {
    stride(from: 0, to: entries.count, by: entrySize)
      .first { byteOrder.uint16(entries, at: $0) == tag.rawValue }
  }
}
