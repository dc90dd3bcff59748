internal import JobModel
internal import JobStore

extension WorkerService {
  /// Drains the worker when the schema was migrated beyond what this program knows.
  ///
  /// What it has begun it may finish and write: a migration takes away nothing that the version before
  /// it uses. It claims no more, for what a newer program has submitted it may not understand.
  func checkSchema() {
    guard newerSchema == nil else { return }
    withDatabase { (store) throws(JobStoreError) in newerSchema = try newerSchema(store) }
    guard let newerSchema else { return }
    report(.outdated(newerSchema))
    handle(.stop(isUrgent: false))
  }

  /// The error that a newer schema is to this program.
  func newerSchema(_ store: JobStore) throws(JobStoreError) -> JobStoreError? {
    let found = try store.schemaVersion()
    guard found > Migrator.programVersion else { return nil }
    return .schemaVersion(found: found, expected: Migrator.programVersion)
  }
}
