internal import Diagnostics
package import Digest
package import JobModel

/// What a batch came to, added up job by job; its size does not grow with the batch.
package struct BatchReport: Sendable {
  /// What a host has done.
  package struct HostTotals: Equatable, Sendable {
    package var jobs = 0
    package var seconds = 0.0
    package var pixels: Int64 = 0
  }

  /// What made the pictures.
  package struct Engine: Hashable, Sendable {
    package var version: String
    package var revision: String
    package var pixelVersion: Int
  }

  /// Failed jobs with one code.
  package struct Failures: Equatable, Sendable {
    package var group: FailureGroup
    /// The first of them.
    package var jobs: [FailedJob]

    package init(group: FailureGroup, jobs: [FailedJob]) {
      self.group = group
      self.jobs = jobs
    }
  }

  /// Jobs of the list of the slowest.
  private static let slowestCount = 10
  /// Hosts, engines and recipes that are told apart; a batch may have a recipe for each picture.
  private static let keyLimit = 50

  package let batch: Batch
  package private(set) var seconds = Distribution()
  /// Bytes of the inputs and of the outputs of done jobs.
  package private(set) var inputSizes = Distribution()
  package private(set) var outputSizes = Distribution()
  package private(set) var peakMemoryBytes: Int64 = 0
  /// The slowest first.
  package private(set) var slowest: [ReportedJob] = []
  package private(set) var hosts: [String: HostTotals] = [:]
  package private(set) var engines: [Engine: Int] = [:]
  package private(set) var recipes: [SHA256Digest: Int] = [:]
  /// Done jobs whose host, engine or recipe is one of those that are not told apart.
  package private(set) var others = 0
  package var failures: [Failures] = []
  private var spread: Spread<ReportedJob>

  /// A report that shows up to so many done jobs as pictures.
  package init(_ batch: Batch, pictureCount: Int = 0) {
    self.batch = batch
    spread = Spread(count: pictureCount)
  }

  /// Done jobs spread over the batch, for pictures.
  package var pictured: [ReportedJob] { spread.elements }

  /// Adds a job.
  package mutating func add(_ job: ReportedJob) {
    guard job.outcome == .done, let making = job.making else { return }
    spread.add(job)
    seconds.add(making.seconds)
    inputSizes.add(Double(job.input.size))
    outputSizes.add(Double(job.outputBytes))
    peakMemoryBytes = max(peakMemoryBytes, making.peakMemoryBytes)
    if slowest.count < Self.slowestCount
      || making.seconds > slowest.last?.making?.seconds ?? 0
    {
      let index =
        slowest.firstIndex { ($0.making?.seconds ?? 0) < making.seconds } ?? slowest.count
      slowest.insert(job, at: index)
      if slowest.count > Self.slowestCount { slowest.removeLast() }
    }
    let engine = Engine(
      version: making.engineVersion,
      revision: making.sourceRevision,
      pixelVersion: making.pixelVersion
    )
    guard Self.hasRoom(hosts, making.host), Self.hasRoom(engines, engine),
      Self.hasRoom(recipes, job.recipe)
    else {
      others += 1
      return
    }
    hosts[making.host, default: HostTotals()].jobs += 1
    hosts[making.host, default: HostTotals()].seconds += making.seconds
    hosts[making.host, default: HostTotals()].pixels += making.pixels
    engines[engine, default: 0] += 1
    recipes[job.recipe, default: 0] += 1
  }

  private static func hasRoom<Key: Hashable, Value>(_ table: [Key: Value], _ key: Key) -> Bool {
    table.count < keyLimit || table[key] != nil
  }

  /// From the submission to the end, or to `now`, in microseconds since 1970.
  package func elapsedSeconds(now: Int64) -> Double {
    Double(max(0, (batch.finishedMicroseconds ?? now) - batch.createdMicroseconds)) / 1e6
  }
}
