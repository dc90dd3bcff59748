private let slash = UInt8(ascii: "/")
private let dot = UInt8(ascii: ".")

extension FilePath {
  /// Whether the path begins at `/`.
  package var isAbsolute: Bool { bytes.first == slash }

  /// The names between slashes, without empty ones; `.` and `..` stay.
  package var components: [ArraySlice<UInt8>] {
    bytes.split(separator: slash, omittingEmptySubsequences: true)
  }

  /// The last name, or nothing for `/` and the empty path.
  package var lastComponent: FilePath? {
    guard let last = components.last else { return nil }
    return FilePath(bytes: last)
  }

  /// The path without its last name: `/` for a name in `/`, `.` for a single relative name.
  package var parent: FilePath {
    var end = bytes.count
    while end > 0, bytes[end - 1] == slash { end -= 1 }
    while end > 0, bytes[end - 1] != slash { end -= 1 }
    if end == 0 { return isAbsolute ? "/" : "." }
    while end > 1, bytes[end - 1] == slash { end -= 1 }
    return FilePath(bytes: bytes[..<end])
  }

  /// The last name up to its last dot; a leading dot begins a hidden name, not an extension.
  package var stem: [UInt8] {
    let name = lastComponent?.bytes ?? []
    return Array(name[..<(extensionDot(in: name) ?? name.endIndex)])
  }

  /// The bytes after the last dot of the last name, or nothing.
  package var fileExtension: [UInt8]? {
    let name = lastComponent?.bytes ?? []
    guard let position = extensionDot(in: name) else { return nil }
    return Array(name[(position + 1)...])
  }

  private func extensionDot(in name: [UInt8]) -> Int? {
    guard let position = name.lastIndex(of: dot), position > 0, name != [dot, dot] else {
      return nil
    }
    return position
  }

  /// The path with `other` below it; an absolute `other` stands alone, as everywhere on Unix.
  package func appending(_ other: FilePath) -> FilePath {
    if other.isAbsolute || bytes.isEmpty { return other }
    if other.bytes.isEmpty { return self }
    return FilePath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + other.bytes)
  }

  /// The path with one more name, whatever its bytes.
  package func appending(component: some Sequence<UInt8>) -> FilePath {
    let name = Array(component)
    if bytes.isEmpty { return FilePath(bytes: name) }
    return FilePath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name)
  }

  /// The path without `.`, empty names and, where a name stands before it, `..`.
  ///
  /// Lexical: it does not ask the file system, so `a/link/..` becomes `a` even where `link` leads
  /// elsewhere. `..` above `/` vanishes; at the start of a relative path it stays.
  package var lexicallyNormalized: FilePath {
    var kept: [ArraySlice<UInt8>] = []
    for name in components {
      if name.elementsEqual([dot]) { continue }
      if name.elementsEqual([dot, dot]) {
        if let last = kept.last, !last.elementsEqual([dot, dot]) {
          kept.removeLast()
          continue
        }
        if isAbsolute { continue }
      }
      kept.append(name)
    }
    let joined = Array(kept.joined(separator: [slash]))
    if isAbsolute { return FilePath(bytes: [slash] + joined) }
    return joined.isEmpty ? "." : FilePath(bytes: joined)
  }

  /// The path seen from `base`, or nothing where it does not lie in or below it.
  ///
  /// Both are taken as they stand, without normalisation. A path from itself is empty.
  package func relative(to base: FilePath) -> FilePath? {
    guard isAbsolute == base.isAbsolute else { return nil }
    let own = components
    let above = base.components
    guard own.count >= above.count, zip(own, above).allSatisfy({ $0.elementsEqual($1) }) else {
      return nil
    }
    return FilePath(bytes: own[above.count...].joined(separator: [slash]))
  }

  /// Whether a name of the path begins with a dot.
  package var isHidden: Bool { lastComponent?.bytes.first == dot }
}
