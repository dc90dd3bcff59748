internal import FileSystem
package import JobModel
package import JobStore
internal import ServiceRuntime

/// Looks at the farm again and again, and knows its rates.
package struct FarmWatcher {
  /// Batches that were named; empty for all.
  private let named: [BatchID]
  private var rates: [BatchID: RateEstimator] = [:]
  /// Batches that were seen open: they stay on the screen when they end.
  private var followed: Set<BatchID> = []

  /// Rows of a screen that nobody reads on would only cost time.
  private static let batchLimit = 100
  private static let workerLimit = 500
  private static let runningLimit = 2_000
  private static let failureLimit = 20

  package init(_ named: [BatchID]) {
    self.named = named
  }

  /// The farm now.
  package mutating func look(_ store: JobStore) throws(JobStoreError) -> FarmSnapshot {
    let time = SystemInformation.monotonicTime
    var snapshot = FarmSnapshot(microseconds: SystemInformation.wallClockNanoseconds / 1_000)
    for batch in try batches(store) {
      var rate = rates[batch.id] ?? RateEstimator()
      rate.add(Double(batch.progress.ended), at: time)
      rates[batch.id] = rate
      snapshot.batches.append(BatchStatus(batch, jobsPerSecond: rate.perSecond))
    }
    let shown = Set(snapshot.batches.map(\.batch.id))
    snapshot.workers = try store.workers(limit: Self.workerLimit)
    snapshot.running = try store.running(limit: Self.runningLimit)
    snapshot.setAside = try store.setAside()
    snapshot.failures = try store.recentFailures(limit: Self.failureLimit)
      .map { FailureLine(job: $0.job, batch: $0.batch, microseconds: $0.microseconds) }
      .filter { named.isEmpty || shown.contains($0.batch) }
    return snapshot
  }

  private mutating func batches(_ store: JobStore) throws(JobStoreError) -> [Batch] {
    if !named.isEmpty {
      var batches: [Batch] = []
      for id in named { batches.append(try store.batch(id)) }
      return batches
    }
    let all = try store.batches(limit: Self.batchLimit)
    followed.formUnion(all.filter { !BatchStatus($0).isOver }.map(\.id))
    return all.filter { followed.contains($0.id) }
  }
}
