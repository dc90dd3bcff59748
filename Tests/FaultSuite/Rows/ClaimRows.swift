internal import Dispatch
internal import FaultHistory
internal import FileSystem
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import Synchronization

extension FaultRow {
  /// Claims against each other.
  static let claimRows = [
    FaultRow(
      number: 1,
      name: "claimers",
      summary: "eight claimers that give back what they got, beside three workers"
    ) { bench in
      let farm = try Farm(bench, "claimers")
      try farm.submit(bench.isLong ? 400 : 120)
      for index in 0..<3 { try farm.startWorker("w\(index)") }
      try Claimers(count: 8).run(farm)
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 18,
      name: "hint-race",
      summary: "batches of one or two pictures, submitted while workers find nothing to do"
    ) { bench in
      let farm = try Farm(bench, "hint-race")
      for index in 0..<3 { try farm.startWorker("w\(index)") }
      for index in 0..<(bench.isLong ? 80 : 20) { try farm.submit(1 + index % 2) }
      try farm.finish()
      return farm
    },
  ]
}

/// Claimers that do no work: each takes jobs and gives them back, and all see to it that no attempt is
/// handed out twice.
struct Claimers {
  let count: Int

  func run(_ farm: Farm) throws {
    let group = DispatchGroup()
    let seen = Mutex<Set<String>>([])
    let problems = Mutex<[String]>([])
    let address = try DatabaseAddress(farm.server.url(farm.database))
    let recorder = farm.recorder
    for index in 0..<count {
      DispatchQueue(label: "claimer").async(group: group) {
        do {
          let store = try JobStore.open(address, applicationName: "claimer")
          let worker = try store.register(
            WorkerSpecification(
              host: "claimer\(index)",
              bootID: "none",
              processID: 1,
              processStartTicks: 0,
              version: "suite",
              slots: 4,
              threads: 1
            )
          )
          for _ in 0..<40 {
            let begin = SystemInformation.monotonicTime
            let jobs = try store.claim(worker, count: 3)
            let time = SystemInformation.monotonicTime - begin
            recorder.add(.claimed(microseconds: Int64(time / .microseconds(1))))
            for job in jobs {
              let isNew = seen.withLock { $0.insert("\(job.id) \(job.attempt)").inserted }
              if !isNew {
                problems.withLock {
                  $0.append("attempt \(job.attempt) of job \(job.id) was given twice")
                }
              }
            }
            _ = try store.release(jobs.map(\.lease))
            _ = try store.beat(worker, holding: [])
          }
          try store.retire(worker)
        } catch {
          problems.withLock { $0.append("claimer \(index): \(error)") }
        }
      }
    }
    group.wait()
    if let first = problems.withLock(\.first) { throw SuiteError.broken(first) }
  }
}
