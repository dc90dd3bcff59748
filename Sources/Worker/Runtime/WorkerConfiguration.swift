package import JobModel
internal import JobStore
package import PostgresClient

/// How a worker process works.
package struct WorkerConfiguration: Sendable {
  package var database: DatabaseAddress
  /// The schema of the queue's tables.
  package var schema: String
  /// Jobs at a time, each in a child process of its own.
  package var slots: Int
  /// Threads of each child.
  package var threads: Int
  package var roots: RootMap
  /// Bytes of memory for all children together; nil: any number.
  package var memory: Int64?
  package var launch: ChildLaunch
  /// How long a render may take before its child is killed.
  package var wallLimit: Duration
  /// A child is replaced after so many jobs: what its libraries leak or fragment goes with it.
  package var jobsPerChild: Int
  /// Jobs held beyond those that run.
  package var prefetch: Int
  /// How long running jobs may go on after a stop was asked for.
  package var drainGrace: Duration
  /// How long to wait before asking again when there was no work.
  package var pollInterval: Duration
  package var beatInterval: Duration
  package var leaseLength: Duration
  /// The worker ends when this batch is finished.
  package var batch: BatchID?
  package var version: String

  package init(database: DatabaseAddress, slots: Int, threads: Int, version: String) {
    self.database = database
    self.slots = slots
    self.threads = threads
    self.version = version
    schema = JobStore.defaultSchema
    roots = RootMap()
    launch = ChildLaunch()
    wallLimit = .seconds(600)
    jobsPerChild = 100
    prefetch = 0
    drainGrace = .seconds(30)
    pollInterval = .milliseconds(500)
    beatInterval = .seconds(5)
    leaseLength = .seconds(30)
  }
}
