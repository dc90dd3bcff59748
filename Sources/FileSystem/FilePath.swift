/// A path as the bytes that the file system keeps.
///
/// Linux names are byte strings: no encoding, no normalisation, everything but `/` and NUL is legal.
/// A type that goes through Unicode loses names, so this one never does; text for people comes from
/// `displayText`. Nothing here touches a file: the calls that do are in `FilePath+Files.swift`.
package struct FilePath: Hashable, Sendable {
  /// The bytes as given; a path with a NUL is refused by every call that takes it to the kernel.
  package let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  package init(_ text: String) {
    self.bytes = Array(text.utf8)
  }
}

extension FilePath: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension FilePath: Comparable {
  /// Bytewise order, which is the same on every machine.
  package static func < (left: FilePath, right: FilePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension FilePath: CustomStringConvertible {
  /// The escaped text, so that an interpolated path can't damage a terminal.
  package var description: String { displayText }
}
