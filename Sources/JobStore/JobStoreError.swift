package import Diagnostics
package import JobModel
package import PostgresClient

/// What can go wrong with the queue.
package enum JobStoreError: Error, Equatable, Sendable {
  /// The database failed.
  case postgres(PostgresError)
  /// The lease is another's or nobody's: whatever was done under it counts for nothing.
  case leaseLost(JobID)
  /// There is no such batch.
  case batchMissing(BatchID)
  /// The batch was cancelled: its failed jobs are not done again.
  case batchCancelled(BatchID)
  /// The batch that another is to wait for was cancelled: it never finishes.
  case predecessorCancelled(BatchID)
  /// There is no such worker.
  case workerMissing(WorkerID)
  /// The batch takes no more jobs.
  case batchClosed(BatchID)
  /// A job of the batch has not ended.
  case batchNotFinished(BatchID)
  /// A job names a recipe that is not registered.
  case recipeMissing(digest: String)
  /// A stored value can't be read: somebody else wrote it.
  case storedValueInvalid(column: String, value: String)
  /// The schema is not there.
  case schemaMissing(schema: String)
  /// The schema is there, and the login may not use it.
  case schemaClosed(schema: String)
  /// The schema is older or newer than this program knows.
  case schemaVersion(found: Int, expected: Int)
  /// No folder with the migrations was found.
  case migrationsMissing(searched: [String])
  /// A file in the migrations' folder has a name of another shape, or a number twice or not at all.
  case migrationNumbering(file: String)
  /// A migration file can't be read.
  case migrationUnreadable(file: String, reason: String)
  /// A migration that was applied has another content now.
  case migrationChanged(version: Int, name: String)
  /// The database has a migration that this program does not have.
  case migrationUnknown(version: Int, name: String)
}

extension JobStoreError {
  /// Whether there was no server to ask, or only one that takes no writes: another moment, or another
  /// address of the same database, may do better, and nothing is known about what was asked.
  package var isUnreachable: Bool {
    guard case .postgres(let error) = self else { return false }
    return error.isConnectionFailure || error.state == .readOnlyTransaction
  }

  /// Whether the session's login may not do what was asked for: somebody has to grant it, and asking again
  /// changes nothing.
  package var isRightMissing: Bool {
    if case .postgres(let error) = self { error.state == .insufficientPrivilege } else { false }
  }
}

extension JobStoreError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .postgres(let error): error.code
    case .leaseLost: "leaseLost"
    case .batchMissing: "batchMissing"
    case .batchCancelled: "batchCancelled"
    case .predecessorCancelled: "predecessorCancelled"
    case .workerMissing: "workerMissing"
    case .batchClosed: "batchClosed"
    case .batchNotFinished: "batchNotFinished"
    case .recipeMissing: "recipeMissing"
    case .storedValueInvalid: "storedValueInvalid"
    case .schemaMissing: "schemaMissing"
    case .schemaClosed: "schemaClosed"
    case .schemaVersion: "schemaVersion"
    case .migrationsMissing: "migrationsMissing"
    case .migrationNumbering: "migrationNumbering"
    case .migrationUnreadable: "migrationUnreadable"
    case .migrationChanged: "migrationChanged"
    case .migrationUnknown: "migrationUnknown"
    }
  }

  package var message: String {
    switch self {
    case .postgres(let error): error.message
    case .leaseLost(let job): "the lease of job \(job) was lost to another worker"
    case .batchMissing(let batch): "there is no batch \(batch)"
    case .batchCancelled(let batch):
      "batch \(batch) is cancelled: submit its inputs again"
    case .predecessorCancelled(let batch):
      "batch \(batch) is cancelled: what waits for it would wait for ever"
    case .workerMissing(let worker): "there is no worker \(worker)"
    case .batchClosed(let batch): "batch \(batch) takes no more jobs"
    case .batchNotFinished(let batch):
      "batch \(batch) is not finished: cancel it first, or wait"
    case .recipeMissing(let digest): "no recipe with digest \(digest) is registered"
    case .storedValueInvalid(let column, let value):
      "the database has an unreadable value in \(column): \(value)"
    case .schemaMissing(let schema):
      "the database has no schema \(schema): run rawmill database migrate"
    case .schemaClosed(let schema):
      "this login may not use the schema \(schema): make it a member of one of rawmill's groups of roles"
    case .schemaVersion(let found, let expected):
      found < expected
        ? "the schema has version \(found), this program needs \(expected): run rawmill database migrate"
        : "the schema has version \(found), this program knows \(expected): use a newer rawmill"
    case .migrationsMissing(let searched):
      "no migrations found in \(searched.joined(separator: ", ")): set RAWMILL_MIGRATIONS"
    case .migrationNumbering(let file):
      "\(file) is no migration NNNN_name.up.sql numbered without gaps from 0001"
    case .migrationUnreadable(let file, let reason): "can't read migration \(file): \(reason)"
    case .migrationChanged(let version, let name):
      "migration \(version) (\(name)) was applied with another content than its file has now"
    case .migrationUnknown(let version, let name):
      "the database has migration \(version) (\(name)), which this program does not have"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .postgres(let error): error.disposition
    case .leaseLost: .transient
    case .batchMissing, .batchCancelled, .predecessorCancelled, .workerMissing, .batchClosed,
      .batchNotFinished, .recipeMissing:
      .permanent
    case .storedValueInvalid, .schemaMissing, .schemaClosed, .schemaVersion, .migrationsMissing,
      .migrationNumbering, .migrationUnreadable, .migrationChanged, .migrationUnknown:
      .fatalWorker
    }
  }
}
