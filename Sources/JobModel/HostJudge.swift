/// Finds the host whose jobs fail where others' succeed.
///
/// Batch by batch its failures are compared with those to be expected if failing had nothing to do with
/// the host (Mantel and Haenszel 1959, Statistical aspects of the analysis of data from retrospective
/// studies of disease: the batches are the strata). So a host that happens to have the bad batch is not
/// to blame for it, and where everybody fails, nobody stands out.
package enum HostJudge {
  /// Standard deviations above what is to be expected: one host in three million by chance.
  package static let deviations = 5.0
  /// As many are enough where jobs that failed here were done elsewhere: that is a second witness.
  package static let deviationsIfRefuted = 3.0
  package static let refutedMinimum = 5
  /// Fewer attempts or failures say nothing.
  package static let attemptsMinimum = 20
  package static let troubledMinimum = 10
  /// A host that fails less often than one time in five is worth its keep.
  package static let shareMinimum = 0.2
  /// How many times the others' share of failures its own must be.
  package static let shareFactor = 4.0
  /// What the others must have done in the same batches: they show that it can be done.
  package static let othersDoneMinimum = 10

  /// How long a host is set aside the first time; each time that follows within a day is twice as long.
  package static let firstSeconds = 900.0
  package static let mostSeconds = 86_400.0

  /// A host that is to be set aside, and why.
  package struct Verdict: Equatable, Sendable {
    package var host: String
    package var reason: String

    package init(host: String, reason: String) {
      self.host = host
      self.reason = reason
    }
  }

  /// The one host that stands out most, if one does; never the last that is live.
  package static func verdict(_ records: [HostRecord]) -> Verdict? {
    let live = records.filter(\.isLive)
    guard live.count > 1 else { return nil }
    var worst: (verdict: Verdict, deviations: Double)?
    for record in live {
      guard let found = judge(record, others: live.filter { $0.host != record.host }),
        found.deviations > worst?.deviations ?? 0
      else { continue }
      worst = found
    }
    return worst?.verdict
  }

  private static func judge(
    _ record: HostRecord,
    others: [HostRecord]
  ) -> (verdict: Verdict, deviations: Double)? {
    var own = HostRecord.Counts()
    var theirs = HostRecord.Counts()
    var expected = 0.0
    var variance = 0.0
    for (batch, counts) in record.batches.sorted(by: { $0.key < $1.key }) {
      let rest = others.compactMap { $0.batches[batch] }
      let restDone = rest.reduce(0) { $0 + $1.done }
      let restTroubled = rest.reduce(0) { $0 + $1.troubled }
      // Without anybody to compare with, a batch says nothing about the host.
      guard restDone + restTroubled > 0 else { continue }
      own.done += counts.done
      own.troubled += counts.troubled
      theirs.done += restDone
      theirs.troubled += restTroubled
      let ownCount = Double(counts.done + counts.troubled)
      let restCount = Double(restDone + restTroubled)
      let troubled = Double(counts.troubled + restTroubled)
      let count = ownCount + restCount
      // Mean and variance of the hypergeometric distribution.
      expected += ownCount * troubled / count
      if count > 1 {
        variance +=
          ownCount * restCount * troubled * (count - troubled) / (count * count * (count - 1))
      }
    }
    let attempts = own.done + own.troubled
    guard attempts >= attemptsMinimum, own.troubled >= troubledMinimum,
      theirs.done >= othersDoneMinimum, variance > 0
    else { return nil }
    let share = Double(own.troubled) / Double(attempts)
    let theirShare = Double(theirs.troubled) / Double(theirs.done + theirs.troubled)
    guard share >= shareMinimum, share >= shareFactor * theirShare else { return nil }
    // Half a failure less, for a count is no continuous quantity.
    let deviations = (Double(own.troubled) - expected - 0.5) / variance.squareRoot()
    let needed = record.refuted >= refutedMinimum ? deviationsIfRefuted : Self.deviations
    guard deviations >= needed else { return nil }
    let refuted = record.refuted > 0 ? "; \(record.refuted) of its jobs were done elsewhere" : ""
    let reason =
      "\(percent(share)) % of its \(attempts) attempts failed, on other hosts "
      + "\(percent(theirShare)) % of the same batches\(refuted)"
    return (Verdict(host: record.host, reason: reason), deviations)
  }

  private static func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }
}
