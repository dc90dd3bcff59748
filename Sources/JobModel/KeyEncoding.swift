internal import FileSystem

/// Bytes in which no two different sequences of values look alike: every string is prefixed by its
/// length, every integer has eight big-endian bytes.
struct KeyEncoding {
  private(set) var bytes: [UInt8] = []

  /// Starts with a tag that names the format, so that keys of different kinds never meet.
  init(tag: String) {
    append(Array(tag.utf8))
  }

  mutating func append(_ value: Int64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
    }
  }

  mutating func append(_ string: [UInt8]) {
    append(Int64(string.count))
    bytes.append(contentsOf: string)
  }

  mutating func append(_ location: FileLocation) {
    append(Array(location.root.utf8))
    append(location.path.bytes)
  }
}
