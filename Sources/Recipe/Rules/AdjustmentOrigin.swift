/// Which part of a recipe set a value.
package enum AdjustmentOrigin: Equatable, Sendable {
  /// A key of `develop`.
  case recipe
  /// The preset that `develop` or a rule names.
  case preset(DevelopPreset)
  /// A key of a rule's `develop`; 1 for the first.
  case rule(Int)
}
