/// What a fresh decode showed of an output that stores its input's samples anew.
package enum ProofVerdict: String, CaseIterable, Sendable {
  /// The stored samples are the same, number for number.
  case identical
  /// The samples are the same after linearisation.
  case equal
  /// Every sample has the nearest code of the output.
  case nearest
  /// The signal-to-noise ratio is as the recipe asks.
  case ratio
  /// The output would have been larger: the input's own bytes stand in its place.
  case kept
}
