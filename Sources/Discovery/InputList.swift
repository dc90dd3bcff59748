internal import Diagnostics
internal import FileSystem
internal import JSON

/// Reads lists of inputs.
package enum InputList {
  /// Bytes that a list may have: a million long paths.
  package static let byteLimit = 1 << 30
  /// Bytes that a line of JSON may have.
  private static let lineLimit = 1 << 20

  /// The paths of a list: separated by NUL where there is one in it, else by line feeds.
  ///
  /// A path is bytes: nothing is trimmed, and a name with a line feed needs NUL.
  package static func paths(_ bytes: [UInt8]) throws(DiscoveryError) -> [InputEntry] {
    guard bytes.count <= byteLimit else { throw .listTooLarge(limit: byteLimit) }
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    var entries: [InputEntry] = []
    var line = 0
    for part in bytes.split(separator: separator, omittingEmptySubsequences: false) {
      line += 1
      if part.isEmpty { continue }
      entries.append(InputEntry(input: FilePath(bytes: part), line: line))
    }
    return entries
  }

  /// The entries of JSON Lines: one object a line, `{"input": "a.dng", "recipe": {…}, "priority": 1,
  /// "output": "client/a"}`; empty lines are left out.
  package static func jsonLines(_ bytes: [UInt8]) throws(DiscoveryError) -> [InputEntry] {
    guard bytes.count <= byteLimit else { throw .listTooLarge(limit: byteLimit) }
    var entries: [InputEntry] = []
    var line = 0
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if part.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      entries.append(try entry(Array(part), line))
    }
    return entries
  }

  private static let keys = ["input", "recipe", "priority", "output", "name"]

  private static func entry(_ bytes: [UInt8], _ line: Int) throws(DiscoveryError) -> InputEntry {
    func wrong(_ reason: String) -> DiscoveryError { .listEntry(line: line, reason: reason) }
    do throws(JSONError) {
      let value = try JSONParser.parse(bytes, limits: JSONLimits(byteCount: lineLimit))
      guard let members = value.objectValue else {
        throw JSONError.unexpectedKind(key: "line", expected: "an object", found: value.kindName)
      }
      for (key, _) in members where !keys.contains(key) {
        let nearest = Spelling.nearest(to: key, among: keys).map { "; did you mean \($0)?" }
        throw .unexpectedKind(
          key: key,
          expected: "one of \(keys.joined(separator: ", "))",
          found: "an unknown key\(nearest ?? "")"
        )
      }
      var entry = InputEntry(input: FilePath(try value.requireString("input")), line: line)
      entry.recipe = value["recipe"]
      if let recipe = entry.recipe, recipe.objectValue == nil {
        throw .unexpectedKind(key: "recipe", expected: "an object", found: recipe.kindName)
      }
      if let priority = try value.optional(
        "priority",
        { (key) throws(JSONError) -> Int in
          try value.requireInteger(key)
        }
      ) {
        entry.priority = priority
      }
      entry.output = try value.optional("output", value.requireString).map { FilePath($0) }
      entry.name = try value.optional("name", value.requireString).map { FilePath($0) }
      return try checked(entry)
    } catch {
      throw wrong(error.message)
    }
  }

  /// The entry, if its values may be what they are.
  private static func checked(_ entry: InputEntry) throws(JSONError) -> InputEntry {
    if entry.input.bytes.isEmpty || entry.input.bytes.contains(0) {
      throw .unexpectedKind(key: "input", expected: "a path", found: "no path")
    }
    guard InputEntry.priorities.contains(entry.priority) else {
      throw .unexpectedKind(
        key: "priority",
        expected: "a whole number from -500 to 500",
        found: "\(entry.priority)"
      )
    }
    if entry.output != nil, entry.name != nil {
      throw .unexpectedKind(key: "name", expected: "output or name", found: "both")
    }
    if let output = entry.output, !isBelow(output) {
      throw .unexpectedKind(
        key: "output",
        expected: "a relative path without . and hidden names",
        found: output.displayText
      )
    }
    if let name = entry.name, name.components.count != 1 || !isBelow(name) {
      throw .unexpectedKind(
        key: "name",
        expected: "one name that is not hidden",
        found: name.displayText
      )
    }
    return entry
  }

  private static func isBelow(_ path: FilePath) -> Bool {
    !path.isAbsolute && !path.components.isEmpty && !path.bytes.contains(0)
      && path.bytes.last != UInt8(ascii: "/")
      && path.components.allSatisfy { $0.first != UInt8(ascii: ".") }
  }
}
