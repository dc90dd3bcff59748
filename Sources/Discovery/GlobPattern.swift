package import FileSystem

/// A pattern for paths: `*`, `?` and `[…]` within a name (POSIX.1-2017, XCU 2.13), `**` for any folders.
///
/// Names are bytes: `?` is one byte. A leading dot is matched only by a dot that is written. A backslash
/// makes the next byte plain.
package struct GlobPattern: Hashable, Sendable {
  /// One part between slashes.
  enum Part: Hashable, Sendable {
    case name([UInt8])
    /// `**`: any number of folders, none included.
    case folders
  }

  /// The pattern as it was written.
  package let text: FilePath
  let parts: [Part]
  let isAbsolute: Bool

  private static let magic: Set<UInt8> = Set("*?[".utf8)

  /// Reads a pattern; every path is one, of itself.
  package init(_ text: FilePath) {
    self.text = text
    isAbsolute = text.isAbsolute
    var parts: [Part] = []
    for component in text.components {
      let part: Part = component.elementsEqual("**".utf8) ? .folders : .name(Array(component))
      // Two in a row mean what one means.
      if part == .folders, parts.last == .folders { continue }
      parts.append(part)
    }
    self.parts = parts
  }

  /// Whether a path has anything of a pattern in it.
  package static func isPattern(_ path: FilePath) -> Bool {
    path.bytes.contains { magic.contains($0) }
  }

  /// The folder in which the search begins: the parts before the first that is a pattern.
  package var base: FilePath {
    let fixed = parts.prefix { part in
      guard case .name(let name) = part else { return false }
      return !name.contains { Self.magic.contains($0) || $0 == UInt8(ascii: "\\") }
    }
    // The last part is what is looked for, even if it is plain.
    let names = fixed.prefix(max(0, parts.count - 1)).compactMap { part -> [UInt8]? in
      if case .name(let name) = part { name } else { nil }
    }
    let joined = Array(names.joined(separator: [UInt8(ascii: "/")]))
    if isAbsolute { return FilePath(bytes: [UInt8(ascii: "/")] + joined) }
    return joined.isEmpty ? "." : FilePath(bytes: joined)
  }

  /// The parts below `base`.
  var rest: ArraySlice<Part> {
    parts.dropFirst(base == "." ? 0 : base.components.count)
  }

  /// Whether a name matches the pattern of a name; linear in the name for each star.
  package static func matches(_ name: some Collection<UInt8>, _ pattern: [UInt8]) -> Bool {
    let name = Array(name)
    if name.first == UInt8(ascii: "."), pattern.first != UInt8(ascii: ".") { return false }
    var position = 0
    var index = 0
    // Where the last star stood, and what it has taken so far.
    var star: (index: Int, position: Int)?
    while position < name.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        star = (index, position)
        index += 1
        continue
      }
      if let next = matchOne(name[position], pattern, index) {
        position += 1
        index = next
        continue
      }
      guard let last = star else { return false }
      star = (last.index, last.position + 1)
      position = last.position + 1
      index = last.index + 1
    }
    while index < pattern.count, pattern[index] == UInt8(ascii: "*") { index += 1 }
    return index == pattern.count
  }

  /// The index after the element that matches a byte, nil where it does not.
  private static func matchOne(_ byte: UInt8, _ pattern: [UInt8], _ index: Int) -> Int? {
    guard index < pattern.count else { return nil }
    switch pattern[index] {
    case UInt8(ascii: "?"): return index + 1
    case UInt8(ascii: "\\") where index + 1 < pattern.count:
      return pattern[index + 1] == byte ? index + 2 : nil
    case UInt8(ascii: "["):
      guard let (set, end) = bracket(pattern, index) else {
        return byte == UInt8(ascii: "[") ? index + 1 : nil
      }
      return set.contains(byte) ? end : nil
    case byte: return index + 1
    default: return nil
    }
  }

  /// The bytes of a bracket expression and the index after it; nil where no bracket closes it.
  private static func bracket(_ pattern: [UInt8], _ start: Int) -> (set: Set<UInt8>, end: Int)? {
    var index = start + 1
    var isNegated = false
    if index < pattern.count, [UInt8(ascii: "!"), UInt8(ascii: "^")].contains(pattern[index]) {
      isNegated = true
      index += 1
    }
    var set: Set<UInt8> = []
    let first = index
    while index < pattern.count {
      if pattern[index] == UInt8(ascii: "]"), index > first {
        let all = Set(UInt8.min...UInt8.max)
        return (isNegated ? all.subtracting(set) : set, index + 1)
      }
      if index + 2 < pattern.count, pattern[index + 1] == UInt8(ascii: "-"),
        pattern[index + 2] != UInt8(ascii: "]"), pattern[index] <= pattern[index + 2]
      {
        set.formUnion(pattern[index]...pattern[index + 2])
        index += 3
      } else {
        set.insert(pattern[index])
        index += 1
      }
    }
    return nil
  }
}
