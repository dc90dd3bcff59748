internal import JSON

/// One key of a recipe.
///
/// Everything the decoder, the canonical form, the schema and the reference
/// page know about it. Adding a key is adding one of these to a table.
struct RecipeKey<Root>: Sendable {
  let entry: RecipeKeyEntry
  /// Stores a checked value.
  let assign: @Sendable (inout Root, JSONValue) -> Void
  /// The value that was stored, nil where the key was absent.
  let read: @Sendable (Root) -> JSONValue?
  /// The keys of a mapping, which is not assigned or read itself; empty for a value.
  var members: [RecipeKey<Root>] = []
}

/// What a key is, apart from where its value goes.
struct RecipeKeyEntry: Sendable {
  enum Availability: Sendable {
    case supported
    /// No stage or encoder does it yet. The value that asks for nothing, where there is one, is
    /// honoured, because nothing is what happens.
    case later(off: JSONValue?)
  }

  let name: String
  /// One sentence for the schema and the reference page.
  let summary: String
  let shape: RecipeValueShape
  /// What an absent key means, if that does not depend on the file.
  let defaultValue: JSONValue?
  let availability: Availability
  /// Keys that say the same in another way.
  let excludes: [String]
}

extension RecipeKey {
  /// A number that a stage reads.
  static func number(
    _ name: String,
    _ range: ClosedRange<Double>,
    unit: String? = nil,
    default: Double? = nil,
    excludes: [String] = [],
    _ path: any WritableKeyPath<Root, Double?> & Sendable,
    _ summary: String
  ) -> RecipeKey {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .number(range, unit: unit),
        defaultValue: `default`.map { .init($0) },
        availability: .supported,
        excludes: excludes
      ),
      assign: { $0[keyPath: path] = $1.doubleValue },
      read: { $0[keyPath: path].map { .init($0) } }
    )
  }

  /// A switch that a stage reads.
  static func boolean(
    _ name: String,
    default: Bool? = nil,
    _ path: any WritableKeyPath<Root, Bool?> & Sendable,
    _ summary: String
  ) -> RecipeKey {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .boolean,
        defaultValue: `default`.map { .init($0) },
        availability: .supported,
        excludes: []
      ),
      assign: { $0[keyPath: path] = $1.boolValue },
      read: { $0[keyPath: path].map { .init($0) } }
    )
  }

  /// A mapping of further keys.
  static func mapping(
    _ name: String,
    _ members: [RecipeKey<Root>],
    _ summary: String
  ) -> RecipeKey {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .mapping(members.map(\.entry)),
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { _, _ in },
      read: { _ in nil },
      members: members
    )
  }
}
