package import FileSystem
package import JSON

/// One image of a list, and what is special about it.
package struct InputEntry: Equatable, Sendable {
  package var input: FilePath
  /// What of the recipe is different for it: a merge patch (RFC 7396).
  package var recipe: JSONValue?
  /// Within its batch.
  package var priority: Int
  /// Folders and name of its outputs below their folder, without suffix and extension.
  package var output: FilePath?
  /// The name of its outputs in the folder that they have anyway.
  package var name: FilePath?
  /// The line of the list, from 1.
  package var line: Int

  package init(
    input: FilePath,
    recipe: JSONValue? = nil,
    priority: Int = 0,
    output: FilePath? = nil,
    name: FilePath? = nil,
    line: Int
  ) {
    self.input = input
    self.recipe = recipe
    self.priority = priority
    self.output = output
    self.name = name
    self.line = line
  }

  /// What an entry's priority may be.
  package static let priorities = -500...500

  /// The relative path that outputs are named after, for an input that has `own` by itself.
  package func outputPath(for own: FilePath) -> FilePath {
    var named = own
    if let output { named = output }
    if let name { named = own.parent == "." ? name : own.parent.appending(name) }
    guard output != nil || name != nil else { return own }
    // Outputs leave out what follows the last dot of an input's name; here nothing is to be left out.
    return FilePath(bytes: named.bytes + Array(".raw".utf8))
  }
}
