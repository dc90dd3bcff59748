import Diagnostics
import JobModel
import JobStore
import PostgresClient
import Testing

@Suite
struct JobStoreErrorTests {
  static let job = JobID(rawValue: 1)
  static let batch = BatchID(rawValue: 2)
  static let table: [(JobStoreError, String, Disposition)] = [
    (.postgres(.outOfMemory), "databaseOutOfMemory", .resource),
    (.leaseLost(job), "leaseLost", .transient),
    (.batchMissing(batch), "batchMissing", .permanent),
    (.batchCancelled(batch), "batchCancelled", .permanent),
    (.workerMissing(WorkerID(rawValue: 3)), "workerMissing", .permanent),
    (.batchClosed(batch), "batchClosed", .permanent),
    (.batchNotFinished(batch), "batchNotFinished", .permanent),
    (.recipeMissing(digest: "d"), "recipeMissing", .permanent),
    (.storedValueInvalid(column: "c", value: "v"), "storedValueInvalid", .fatalWorker),
    (.predecessorCancelled(BatchID(rawValue: 1)), "predecessorCancelled", .permanent),
    (.schemaMissing(schema: "s"), "schemaMissing", .fatalWorker),
    (.schemaClosed(schema: "s"), "schemaClosed", .fatalWorker),
    (.schemaVersion(found: 1, expected: 2), "schemaVersion", .fatalWorker),
    (.migrationsMissing(searched: []), "migrationsMissing", .fatalWorker),
    (.migrationNumbering(file: "f"), "migrationNumbering", .fatalWorker),
    (.migrationUnreadable(file: "f", reason: "r"), "migrationUnreadable", .fatalWorker),
    (.migrationChanged(version: 1, name: "n"), "migrationChanged", .fatalWorker),
    (.migrationUnknown(version: 1, name: "n"), "migrationUnknown", .fatalWorker),
  ]

  @Test(arguments: table)
  func slugAndDisposition(_ error: JobStoreError, _ code: String, _ disposition: Disposition) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }
}
