/// What the attempts of a host came to in the last hours.
package struct HostRecord: Equatable, Sendable {
  /// Attempts on jobs of one batch.
  package struct Counts: Equatable, Sendable {
    package var done: Int
    /// Failed as transient, for want of a resource, or with a crash: perhaps for the host's sake.
    package var troubled: Int

    package init(done: Int = 0, troubled: Int = 0) {
      self.done = done
      self.troubled = troubled
    }
  }

  package var host: String
  package var batches: [BatchID: Counts]
  /// Jobs that failed here so and were then done on another host.
  package var refuted: Int
  /// Whether a worker of it is active, and it is not set aside already.
  package var isLive: Bool

  package init(host: String, batches: [BatchID: Counts], refuted: Int = 0, isLive: Bool = true) {
    self.host = host
    self.batches = batches
    self.refuted = refuted
    self.isLive = isLive
  }
}
