/// What of a file breaks the specification and was read by its defaults, in words.
struct ReadWarnings {
  private(set) var all: [String] = []

  /// A file with more has nothing to say in them that it didn't say before.
  private static let limit = 64

  /// Adds a warning, unless it is there already.
  mutating func add(_ warning: String) {
    guard all.count < Self.limit, !all.contains(warning) else { return }
    all.append(warning)
  }
}
