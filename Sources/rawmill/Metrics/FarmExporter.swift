internal import FileSystem
internal import HTTP
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime
internal import Synchronization

/// Answers scrapes with the farm's figures, which are asked of the database at most once a second.
// @unchecked: `store` and `last` are touched under `lock` only.
final class FarmExporter: @unchecked Sendable {
  private let database: DatabaseAddress
  private let log: Log
  private let lock = Mutex(())
  private var store: JobStore?
  private var last: (answer: HTTPAnswer, time: Duration)?

  init(database: DatabaseAddress, log: Log) {
    self.database = database
    self.log = log
  }

  /// The figures; 503 while the database does not answer.
  func answer() -> HTTPAnswer {
    lock.withLock { _ in
      let now = SystemInformation.monotonicTime
      if let last, now - last.time < .seconds(1) { return last.answer }
      let answer: HTTPAnswer
      do throws(JobStoreError) {
        answer = MetricsServer.answer(try exposition())
      } catch {
        store = nil
        log.write(.warning, "databaseFailed", error.message)
        answer = .text(503, "the database does not answer")
      }
      last = (answer, SystemInformation.monotonicTime)
      return answer
    }
  }

  /// The exposition, or what keeps it from being made.
  func exposition() throws(JobStoreError) -> String {
    let store: JobStore
    if let open = self.store {
      store = open
    } else {
      store = try JobStore.open(
        database,
        applicationName: "rawmill metrics",
        accepting: .currentOrNewer
      )
      self.store = store
    }
    return FarmMetrics.exposition(try store.figures())
  }
}
