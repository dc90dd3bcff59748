internal import Dispatch
internal import FileSystem
internal import JobModel
internal import JobStore
internal import Synchronization

/// Sessions of the claim bench: one for each host agent of a small farm.
private let sessions = 4
extension Bench {
  /// Durable completion with one provenance row a job, and the next claim, in one transaction.
  static let queueClaimComplete1 = claimComplete(atOnce: 1)
  static let queueClaimComplete10 = claimComplete(atOnce: 10)
  static let queueClaimComplete100 = claimComplete(atOnce: 100)

  /// New jobs by COPY, in slices of 10,000.
  static let queueEnqueue = Bench(
    name: "queue.enqueue",
    summary: "submit new jobs, four times --jobs, to an embedded PostgreSQL",
    readsRaw: false
  ) { input in
    let fixture = try QueueFixture()
    return Prepared {
      let count = 4 * input.jobs
      let start = SystemInformation.monotonicTime
      try fixture.submit(count)
      return Operations(jobs: count, latencies: [SystemInformation.monotonicTime - start])
    }
  }

  private static func claimComplete(atOnce count: Int) -> Bench {
    Bench(
      name: count == 10 ? "queue.claimComplete" : "queue.claimComplete.\(count)",
      summary: "complete and claim \(count) jobs a transaction, 4 sessions, durable",
      readsRaw: false
    ) { input in
      let fixture = try QueueFixture()
      let jobsPerRun = input.jobs
      // Enough for the default number of runs; more runs submit more, which counts against them.
      try fixture.submit(jobsPerRun * 9)
      let left = Atomic<Int>(jobsPerRun * 9)
      return Prepared {
        if left.load(ordering: .relaxed) < jobsPerRun + sessions * count {
          try fixture.submit(jobsPerRun * 9)
          left.add(jobsPerRun * 9, ordering: .relaxed)
        }
        let operations = try work(fixture, atOnce: count, jobs: jobsPerRun)
        left.subtract(operations.jobs, ordering: .relaxed)
        return operations
      }
    }
  }

  /// Works off about `jobs` jobs in all sessions.
  private static func work(
    _ fixture: QueueFixture,
    atOnce count: Int,
    jobs: Int
  ) throws -> Operations {
    let results = SessionResults()
    let group = DispatchGroup()
    for number in 0..<sessions {
      // A serial queue each has a thread each, however few processors there are: sessions wait.
      DispatchQueue(label: "rawmill.bench.session.\(number)").async(group: group) {
        let result = Result { () throws(JobStoreError) in
          try session(fixture, atOnce: count, jobs: max(1, jobs / sessions))
        }
        results.values.withLock { $0.append(result) }
      }
    }
    group.wait()
    var total = Operations(jobs: 0, latencies: [])
    for result in results.values.withLock({ $0 }) {
      let operations = try result.get()
      total.jobs += operations.jobs
      total.latencies += operations.latencies
    }
    return total
  }

  private static func session(
    _ fixture: QueueFixture,
    atOnce count: Int,
    jobs: Int
  ) throws(JobStoreError) -> Operations {
    let store = try JobStore.open(fixture.address)
    let worker = try store.register(QueueFixture.worker(slots: count))
    var operations = Operations(jobs: 0, latencies: [])
    var reports: [JobReport] = []
    repeat {
      let start = SystemInformation.monotonicTime
      let wanted = operations.jobs + reports.count < jobs ? count : 0
      let next = try store.complete(reports, thenClaim: wanted, for: worker)
      operations.latencies.append(SystemInformation.monotonicTime - start)
      operations.jobs += next.completed.count
      reports = next.claimed.map { QueueFixture.report($0) }
    } while !reports.isEmpty
    return operations
  }
}

/// What the sessions of one run did.
private final class SessionResults: Sendable {
  let values = Mutex<[Result<Bench.Operations, JobStoreError>]>([])
}
