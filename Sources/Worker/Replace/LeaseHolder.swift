internal import Diagnostics
internal import JobModel
internal import JobStore
internal import PostgresClient

/// A session of a slot's own that holds a lease's row while an original is replaced: the worker's
/// session must go on with the other slots meanwhile.
// @unchecked: `store` is touched on the slot's thread only; the rest is Sendable.
final class LeaseHolder: @unchecked Sendable {
  private let database: DatabaseAddress
  private let schema: String
  private var store: JobStore?
  private static let repetitionLimit = 50

  init(database: DatabaseAddress, schema: String) {
    self.database = database
    self.schema = schema
  }

  /// The replacement that an earlier attempt of a job intended.
  func replacement(
    of job: JobID,
    _ right: PublishingRight
  ) throws(WorkerError) -> KnownReplacement? {
    try asking(right) { (store) throws(JobStoreError) in try store.replacement(of: job) }
  }

  /// Runs `body` while nobody else can decide the job.
  ///
  /// - Throws: `interrupted` if the lease is lost; then `body` has not run. After any other failure of
  ///   the database it may have.
  func holding(
    _ lease: Lease,
    _ right: PublishingRight,
    _ body: () -> Result<Void, WorkerError>
  ) throws(WorkerError) {
    var hasRun = false
    try asking(right, mayRepeat: { !hasRun }) { (store) throws(JobStoreError) in
      try store.holding(lease) {
        hasRun = true
        return body()
      }
    }.get()
  }

  /// Asks the database, again while it is out of reach and the lease may stand.
  private func asking<Value>(
    _ right: PublishingRight,
    mayRepeat: () -> Bool = { true },
    _ body: (JobStore) throws(JobStoreError) -> Value
  ) throws(WorkerError) -> Value {
    var repetitions = 0
    while true {
      do throws(JobStoreError) {
        let store = try connectedStore()
        self.store = store
        return try body(store)
      } catch {
        if case .leaseLost = error { throw .interrupted }
        // Whatever state the session is in, a new one has none.
        store = nil
        guard error.isUnreachable, mayRepeat(), repetitions < Self.repetitionLimit else {
          throw .child(
            RemoteFailure(code: error.code, message: error.message, disposition: .transient)
          )
        }
        PublishingRight.pause()
        // A server that gives the heart its beats and this session nothing is not waited for
        // without end.
        if right.isValid { repetitions += 1 }
        guard right.wait() else { throw .interrupted }
      }
    }
  }

  private func connectedStore() throws(JobStoreError) -> JobStore {
    if let store { return store }
    return try JobStore.open(
      database,
      role: .replacement,
      applicationName: "rawmill replacement",
      schema: schema,
      accepting: .currentOrNewer
    )
  }
}
