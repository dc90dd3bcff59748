/// How much a recipe may be; far above what people write.
package enum RecipeLimits {
  /// Bytes of the text.
  package static let byteCount = 1 << 20
  /// Bytes of a recipe that has the files that it reads in it: no more than a message to a child.
  package static let selfContainedByteCount = 16 << 20
  /// Levels of mappings and lists.
  package static let depth = 16
  package static let outputCount = 32
  package static let ruleCount = 64
  /// Texts of one list, such as the cameras of a rule.
  package static let listCount = 64
  /// Problems that are reported of one recipe.
  package static let problemCount = 50
}
