extension IFDBuilder {
  /// Copies an entry with its type and values as they are; a tag that is set already is left alone.
  ///
  /// The 8-byte integers of a BigTIFF become their 4-byte counterparts.
  ///
  /// - Returns: Whether it was copied: not where the type is unknown (TIFF 6.0 section 2: such entries
  ///   are to be skipped), there is no value, or one does not fit in four bytes.
  /// - Throws: `valueOutsideFile`.
  @discardableResult
  package mutating func copy(
    _ entry: TIFFEntry,
    of directory: TIFFDirectory
  ) throws(TIFFReadError) -> Bool {
    guard let type = entry.type, entry.count > 0, !contains(entry.tag) else { return false }
    let bytes = try directory.storedBytes(of: entry, limit: .max)
    let byteOrder = directory.file.byteOrder
    let shorter: TIFFFieldType
    switch type {
    case .long8: shorter = .long
    case .slong8: shorter = .slong
    case .ifd8: shorter = .ifd
    default:
      set(entry.tag, type: type, bytes: bytes, byteOrder: byteOrder)
      return true
    }
    var values: [UInt8] = []
    values.reserveCapacity(bytes.count / 2)
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      let value = byteOrder.uint64(bytes, at: offset)
      let isWithin =
        type == .slong8
        ? Int32(exactly: Int64(bitPattern: value)) != nil : UInt32(exactly: value) != nil
      guard isWithin else { return false }
      values += littleEndianBytes(UInt32(truncatingIfNeeded: value))
    }
    set(entry.tag, type: shorter, bytes: values)
    return true
  }
}
