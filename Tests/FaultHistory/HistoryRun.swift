/// What a run of the fault suite was and what its invariants are measured against.
package struct HistoryRun: Equatable, Sendable {
  package var name: String
  package var seed: UInt64
  /// How long a heartbeat may stand still, in milliseconds.
  package var leaseMilliseconds: Int64
  /// The longest delay before a retry, in milliseconds.
  package var delayMilliseconds: Int64
  /// What the machine may take besides: process starts, polls, a recovery of the server.
  package var slackMilliseconds: Int64
  /// The bound on the 99th percentile of a claim, in microseconds.
  package var claimBoundMicroseconds: Int64

  package init(
    name: String,
    seed: UInt64 = 1,
    leaseMilliseconds: Int64 = 3_000,
    delayMilliseconds: Int64 = 1_000,
    slackMilliseconds: Int64 = 15_000,
    claimBoundMicroseconds: Int64 = 250_000
  ) {
    self.name = name
    self.seed = seed
    self.leaseMilliseconds = leaseMilliseconds
    self.delayMilliseconds = delayMilliseconds
    self.slackMilliseconds = slackMilliseconds
    self.claimBoundMicroseconds = claimBoundMicroseconds
  }
}
