/// What must hold of every history.
package enum Invariant: String, CaseIterable, Sendable {
  /// Every job ends in exactly one outcome, the one that its input deserves; every attempt ended
  /// once; the progress of its batch counts it once.
  case oneOutcome = "I1"
  /// A done job has one provenance row, any other none.
  case oneProvenance = "I2"
  /// Every published file has the size and the digest of its row, and there is no other file.
  case filesAsRecorded = "I3"
  /// No name is given twice: not by two jobs, nor by an attempt after a later one had given it.
  case publishedOnce = "I4"
  /// Every input that was submitted has one job.
  case noneLost = "I5"
  /// After a fault the queue works again within the lease, the retry's delay and some slack.
  case recoversInTime = "I6"
  /// Never do more jobs of a batch run than its cap allows.
  case capKept = "I7"
  /// The 99th percentile of claims stays below its bound.
  case claimIsQuick = "I8"
  /// No lease is left at the end.
  case noLease = "lease"
  /// No temporary file is left at the end.
  case noTemporary = "temporary"
}
