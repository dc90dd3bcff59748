/// Versions of the look, by the number that a recipe's `decoderVersion` selects.
///
/// A new version is added where defaults or algorithms change the look on purpose; older ones stay.
package enum DecoderVersion: Int, CaseIterable, Sendable {
  /// Matrices and the project's own curve alone: no tables or curve of profiles, no local tone map, no highlight
  /// recovery.
  case one = 1
  /// The DNG rendering model: profile tables and curves, gain table maps, highlight recovery.
  case two = 2

  package static let newest = DecoderVersion.two
}
