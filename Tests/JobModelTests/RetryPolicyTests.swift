import Diagnostics
import JobModel
import Testing

@Suite
struct RetryPolicyTests {
  let policy = RetryPolicy(
    maximumAttempts: 3,
    maximumHostFaults: nil,
    baseDelayMilliseconds: 1_000,
    maximumDelayMilliseconds: 30_000
  )

  @Test
  func aPermanentFailureIsNeverRetried() {
    #expect(policy.decision(after: .permanent, counts: .init(failures: 1), random: 0) == .fail)
  }

  @Test(arguments: [FailureClass.transient, .resource])
  func failuresAreRetriedUpToTheLimit(_ failure: FailureClass) {
    var counts = FailureCounts()
    var decisions: [RetryPolicy.Decision] = []
    for _ in 0..<3 {
      counts = counts.adding(failure)
      decisions.append(policy.decision(after: failure, counts: counts, random: 1 << 63))
    }
    #expect(
      decisions == [
        .retry(afterMilliseconds: 1_000), .retry(afterMilliseconds: 2_000), .fail,
      ]
    )
  }

  @Test
  func crashesAreCountedApartAndTheThirdIsTheEnd() {
    // Two failures before do not bring a crash nearer to the end.
    var counts = FailureCounts(failures: 2)
    for expected in [true, true, false] {
      counts = counts.adding(.crash)
      let decision = policy.decision(after: .crash, counts: counts, random: 0)
      #expect((decision != .fail) == expected)
    }
    #expect(counts == FailureCounts(failures: 2, crashes: 3))
  }

  @Test
  func aHostFaultSpendsNoAttempt() {
    let counts = FailureCounts(failures: 2, hostFaults: 99).adding(.hostFault)
    #expect(counts.failures == 2)
    let decision = policy.decision(after: .hostFault, counts: counts, random: .max)
    #expect(decision == .retry(afterMilliseconds: 30_000))
    // With one host only, there is an end to it.
    let limited = RetryPolicy.interactive
    #expect(
      limited.decision(after: .hostFault, counts: .init(hostFaults: 3), random: 0) == .fail
    )
  }

  /// Jitter spreads over 0.5 to 1.5 times the delay; the cap bounds it after the jitter.
  @Test
  func delayAtTheEndsOfTheJitter() {
    #expect(policy.delayMilliseconds(failureNumber: 1, random: 0) == 500)
    #expect(policy.delayMilliseconds(failureNumber: 1, random: .max) == 1_499)
    #expect(policy.delayMilliseconds(failureNumber: 3, random: 1 << 63) == 4_000)
    #expect(policy.delayMilliseconds(failureNumber: 6, random: .max) == 30_000)
    #expect(policy.delayMilliseconds(failureNumber: .max, random: 0) == 15_000)
    let huge = RetryPolicy(
      maximumAttempts: 1,
      baseDelayMilliseconds: .max,
      maximumDelayMilliseconds: .max
    )
    #expect(huge.delayMilliseconds(failureNumber: 70, random: .max) == .max)
  }

  @Test
  func theDelayStaysWithinItsBounds() {
    let seed: UInt64 = 20_261_130
    var generator = SplitMix(state: seed)
    for _ in 0..<10_000 {
      let number = Int(generator.next() % 20)
      let delay = policy.delayMilliseconds(failureNumber: number, random: generator.next())
      #expect((500...30_000).contains(delay), "seed \(seed), failure \(number)")
    }
  }

  @Test
  func theInteractivePolicyIsTheOneThatRunPromises() {
    #expect(RetryPolicy.interactive.maximumAttempts == 3)
    #expect(RetryPolicy.interactive.maximumDelayMilliseconds == 30_000)
    #expect(RetryPolicy.interactive.maximumCrashes == 3)
  }

  @Test(arguments: [
    (Disposition.permanent, FailureClass.permanent), (.transient, .transient),
    (.resource, .resource), (.hostFault, .hostFault), (.fatalWorker, .hostFault),
  ])
  func classOfADisposition(_ disposition: Disposition, _ expected: FailureClass) {
    #expect(FailureClass(disposition) == expected)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): a seeded generator.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
