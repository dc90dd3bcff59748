import JobModel
import TestSupport
import Testing

@Suite
struct HostJudgeTests {
  private func record(
    _ host: String,
    _ counts: [Int64: (done: Int, troubled: Int)],
    refuted: Int = 0,
    isLive: Bool = true
  ) -> HostRecord {
    var batches: [BatchID: HostRecord.Counts] = [:]
    for (batch, count) in counts {
      batches[BatchID(rawValue: batch)] = .init(done: count.done, troubled: count.troubled)
    }
    return HostRecord(host: host, batches: batches, refuted: refuted, isLive: isLive)
  }

  @Test
  func aHostThatFailsWhereOthersSucceedIsFound() {
    let records = [
      record("bad", [1: (5, 25)], refuted: 12), record("good", [1: (90, 1)]),
      record("fine", [1: (80, 0)]),
    ]
    #expect(
      HostJudge.verdict(records)
        == HostJudge.Verdict(
          host: "bad",
          reason: "83 % of its 30 attempts failed, on other hosts 1 % of the same batches; "
            + "12 of its jobs were done elsewhere"
        )
    )
  }

  @Test
  func theLastHostIsNeverSetAside() {
    let alone = record("bad", [1: (0, 500)])
    #expect(HostJudge.verdict([alone]) == nil)
    let gone = record("good", [1: (500, 0)], isLive: false)
    #expect(HostJudge.verdict([alone, gone]) == nil)
  }

  /// It has the batch of damaged disks all to itself, or shares it with others who fail as often.
  @Test
  func aBadBatchIsNoBadHost() {
    #expect(
      HostJudge.verdict([record("a", [1: (0, 100), 2: (50, 0)]), record("b", [2: (500, 0)])]) == nil
    )
    // The host has most of the bad batch, the others little of it: fails as often there.
    #expect(
      HostJudge.verdict([
        record("a", [1: (20, 80), 2: (10, 0)]), record("b", [1: (4, 16), 2: (1_000, 0)]),
      ]) == nil
    )
  }

  @Test
  func fewAttemptsSayNothing() {
    #expect(
      HostJudge.verdict([record("bad", [1: (0, 9)], refuted: 9), record("good", [1: (99, 0)])])
        == nil
    )
    #expect(
      HostJudge.verdict([record("bad", [1: (0, 40)]), record("good", [1: (9, 0)])]) == nil
    )
    // 12 of 60: a fifth, and far from chance.
    #expect(
      HostJudge.verdict([record("bad", [1: (48, 12)]), record("good", [1: (400, 2)])])?.host
        == "bad"
    )
    #expect(
      HostJudge.verdict([record("bad", [1: (49, 11)]), record("good", [1: (400, 2)])]) == nil
    )
  }

  /// What one witness leaves open, a second one settles: 10 of 20 against 4 of 40 is 3.1 deviations.
  @Test
  func jobsThatWereDoneElsewhereAreAWitness() {
    let others = record("good", [1: (36, 4)])
    #expect(HostJudge.verdict([record("bad", [1: (10, 10)], refuted: 4), others]) == nil)
    #expect(HostJudge.verdict([record("bad", [1: (10, 10)], refuted: 5), others])?.host == "bad")
  }

  @Test
  func theWorstOfTwoIsFound() {
    let records = [
      record("bad", [1: (10, 40)]), record("worse", [1: (0, 60)]), record("good", [1: (800, 0)]),
    ]
    #expect(HostJudge.verdict(records)?.host == "worse")
  }

  /// Hosts that are all alike, at any rate of failure: nobody stands out in 2,000 farms.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func equalHostsAreNotToldApart(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var blamed = 0
    for _ in 0..<500 {
      let rates = [UInt64(5), 30, 60].map { $0 + generator.next() % 30 }
      let records = (0..<4).map { host in
        var counts: [Int64: (done: Int, troubled: Int)] = [:]
        for (batch, rate) in rates.enumerated() {
          let attempts = Int(generator.next() % 120)
          let troubled = (0..<attempts).count { _ in generator.next() % 100 < rate }
          counts[Int64(batch)] = (attempts - troubled, troubled)
        }
        return record("h\(host)", counts)
      }
      if HostJudge.verdict(records) != nil { blamed += 1 }
    }
    #expect(blamed == 0, "seed \(seed)")
  }
}
