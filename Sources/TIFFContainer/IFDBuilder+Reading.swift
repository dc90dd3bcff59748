extension IFDBuilder {
  /// The bytes of a value of one of the types of one byte; nil for others.
  package func bytes(_ tag: TIFFTag) -> [UInt8]? {
    guard let entry = entries[tag], entry.type.byteCount == 1 else { return nil }
    switch entry.content {
    case .values(let bytes), .pinned(let bytes, offset: _): return bytes
    case .directories, .segmentOffsets, .blocks: return nil
    }
  }

  /// SHORT values; nil for others.
  package func shorts(_ tag: TIFFTag) -> [UInt16]? {
    guard let entry = entries[tag], entry.type == .short, case .values(let bytes) = entry.content
    else { return nil }
    return stride(from: 0, to: bytes.count, by: 2).map {
      TIFFByteOrder.littleEndian.uint16(bytes, at: $0)
    }
  }

  /// LONG values; nil for others.
  package func longs(_ tag: TIFFTag) -> [UInt32]? {
    guard let entry = entries[tag], entry.type == .long, case .values(let bytes) = entry.content
    else { return nil }
    return stride(from: 0, to: bytes.count, by: 4).map {
      TIFFByteOrder.littleEndian.uint32(bytes, at: $0)
    }
  }

  /// The directories that hang from a tag.
  package func directories(_ tag: TIFFTag) -> [IFDBuilder] {
    guard case .directories(let directories)? = entries[tag]?.content else { return [] }
    return directories
  }
}
