/// What a raw is read for, which says how much of it must be understood.
package enum RawUse: Equatable, Sendable {
  /// Making something of the samples: their meaning must be known.
  case development
  /// Storing the same samples anew, or comparing them: what only their meaning needs is carried along.
  case storage
}
