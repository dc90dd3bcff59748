/// One IFD: its entries, and typed access to their values.
///
/// A getter returns nil where the tag is absent and throws where it is there but not what its meaning
/// needs. A tag that is asked for must not stand there twice.
package struct TIFFDirectory: Sendable {
  let file: TIFFFile
  /// The IFD in words, for messages: `IFD 0`, `SubIFD 1 of IFD 0`, `Exif IFD`.
  package let name: String
  package let offset: UInt64
  /// In the file's order.
  package let entries: [TIFFEntry]
  /// Where the next IFD of the chain starts; 0 at its end.
  package let nextOffset: UInt64

  /// Of the file's numbers.
  package var byteOrder: TIFFByteOrder { file.byteOrder }

  /// The only entry with this tag, or nil.
  ///
  /// - Throws: `duplicateTag`.
  package func entry(_ tag: TIFFTag) throws(TIFFReadError) -> TIFFEntry? {
    var found: TIFFEntry?
    for entry in entries where entry.tag == tag {
      guard found == nil else { throw .duplicateTag(site(tag)) }
      found = entry
    }
    return found
  }

  /// Whether the tag is there, with any value.
  package func has(_ tag: TIFFTag) -> Bool {
    entries.contains { $0.tag == tag }
  }

  /// The place of a tag in messages.
  package func site(_ tag: TIFFTag) -> TIFFTagSite {
    TIFFTagSite(tag: tag, directory: name)
  }

  /// Checks that the values of each entry of a known type lie within the file.
  ///
  /// - Throws: `valueOutsideFile`.
  package func checkValuesInFile() throws(TIFFReadError) {
    for entry in entries {
      guard let type = entry.type else { continue }
      _ = try position(of: entry, type: type)
    }
  }

  /// Where an entry's values start in the file's bytes.
  ///
  /// - Throws: `valueOutsideFile`.
  func position(of entry: TIFFEntry, type: TIFFFieldType) throws(TIFFReadError) -> Int {
    let (total, overflow) = entry.count.multipliedReportingOverflow(by: UInt64(type.byteCount))
    guard
      !overflow, let byteCount = Int(exactly: total),
      let start = file.position(entry.valueOffset, byteCount: byteCount)
    else {
      throw .valueOutsideFile(
        site(entry.tag),
        offset: entry.valueOffset,
        byteCount: overflow ? .max : total,
        fileSize: file.bytes.count
      )
    }
    return start
  }

  /// The entry and the place of its values, with the number of values checked.
  ///
  /// - Throws: `duplicateTag`, `wrongType` for an unknown type, `wrongCount`, `tooManyValues`,
  ///   `valueOutsideFile`.
  func values(
    _ tag: TIFFTag,
    count expected: ClosedRange<Int>
  ) throws(TIFFReadError) -> (type: TIFFFieldType, count: Int, start: Int)? {
    guard let entry = try entry(tag) else { return nil }
    guard let type = entry.type else {
      throw .wrongType(site(tag), storedType: entry.storedType)
    }
    guard let count = Int(exactly: entry.count), count >= expected.lowerBound else {
      throw .wrongCount(site(tag), count: entry.count, expected: Self.text(expected))
    }
    guard count <= expected.upperBound else {
      if expected.lowerBound == expected.upperBound {
        throw .wrongCount(site(tag), count: entry.count, expected: Self.text(expected))
      }
      throw .tooManyValues(site(tag), count: entry.count, limit: expected.upperBound)
    }
    return (type, count, try position(of: entry, type: type))
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "at least \(range.lowerBound)"
  }
}
