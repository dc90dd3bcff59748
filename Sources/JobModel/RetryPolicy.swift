/// How often and after what delays a job is tried again.
package struct RetryPolicy: Equatable, Sendable {
  /// Transient and resource failures until the job has failed, the first counted.
  package var maximumAttempts: Int
  /// Crashes until the job has failed: it kills its worker.
  package var maximumCrashes: Int
  /// Host faults until the job has failed; nil: never.
  package var maximumHostFaults: Int?
  /// The delay after the first failure, before jitter, in milliseconds.
  package var baseDelayMilliseconds: Int64
  /// No delay is longer, jitter included, in milliseconds.
  package var maximumDelayMilliseconds: Int64

  package init(
    maximumAttempts: Int,
    maximumCrashes: Int = 3,
    maximumHostFaults: Int? = nil,
    baseDelayMilliseconds: Int64 = 5_000,
    maximumDelayMilliseconds: Int64
  ) {
    self.maximumAttempts = maximumAttempts
    self.maximumCrashes = maximumCrashes
    self.maximumHostFaults = maximumHostFaults
    self.baseDelayMilliseconds = baseDelayMilliseconds
    self.maximumDelayMilliseconds = maximumDelayMilliseconds
  }

  /// For a farm: five attempts, delays of 5 s to an hour.
  package static let farm = RetryPolicy(maximumAttempts: 5, maximumDelayMilliseconds: 3_600_000)

  /// For `run`, where a person waits: three attempts, delays of at most 30 s, and a host fault, which
  /// has no other host to pass to, counts like a failure.
  package static let interactive = RetryPolicy(
    maximumAttempts: 3,
    maximumHostFaults: 3,
    baseDelayMilliseconds: 2_000,
    maximumDelayMilliseconds: 30_000
  )
}

extension RetryPolicy {
  /// What becomes of a job after a failure.
  package enum Decision: Equatable, Sendable {
    /// It is tried again after this many milliseconds.
    case retry(afterMilliseconds: Int64)
    /// It has failed.
    case fail
  }

  /// Decides after a failure.
  ///
  /// `counts` are the failures so far, this one included. `random` is uniform over all of `UInt64`; it
  /// spreads the delay over 0.5 to 1.5 times its length.
  package func decision(
    after failure: FailureClass,
    counts: FailureCounts,
    random: UInt64
  ) -> Decision {
    let count: Int
    let limit: Int?
    switch failure {
    case .permanent: return .fail
    case .transient, .resource: (count, limit) = (counts.failures, maximumAttempts)
    case .crash: (count, limit) = (counts.crashes, maximumCrashes)
    case .hostFault: (count, limit) = (counts.hostFaults, maximumHostFaults)
    }
    if let limit, count >= limit { return .fail }
    return .retry(afterMilliseconds: delayMilliseconds(failureNumber: count, random: random))
  }

  /// The delay after failure number `failureNumber` (from 1): base x 2^(n-1) x (0.5 to 1.5), capped.
  package func delayMilliseconds(failureNumber: Int, random: UInt64) -> Int64 {
    let base = UInt64(max(0, min(baseDelayMilliseconds, maximumDelayMilliseconds)))
    let cap = UInt64(max(0, maximumDelayMilliseconds))
    let doublings = max(0, failureNumber - 1)
    var delay = base
    for _ in 0..<min(doublings, 64) where delay < cap {
      delay = min(cap, delay.multipliedReportingOverflow(by: 2).partialValue)
    }
    // delay / 2 plus the high word of delay x random: 0.5 to 1.5 without a floating-point number.
    let jittered = delay / 2 + delay.multipliedFullWidth(by: random).high
    return Int64(min(cap, jittered))
  }
}
