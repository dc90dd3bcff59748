import DatabaseTestSupport
import Diagnostics
import Digest
import FileSystem
import JSON
import JobModel
import JobStore
import PostgresClient

/// A queue of a test's own, and what tests put into it.
struct Fixture {
  let database: TestDatabase
  let store: JobStore

  static let recipe = RecipeRecord(
    digest: SHA256.digest(of: Array("{\"recipe\":1}".utf8)),
    canonicalJSON: "{\"recipe\":1}"
  )

  init() throws {
    database = try TestDatabase()
    store = try database.store()
    try store.register([Self.recipe])
  }

  static func job(
    _ number: Int,
    folder: String = "day1",
    redo: Bool = false,
    time: Int64 = 5
  ) -> JobSpecification {
    let input = InputFile(
      location: FileLocation(root: "shoot", path: FilePath("\(folder)/\(number).dng")),
      size: 1_000,
      modificationNanoseconds: time
    )
    let outputs = [
      PlannedOutput(
        id: "heic",
        location: FileLocation(root: "out", path: FilePath("\(number).heic"))
      )
    ]
    return JobSpecification(
      key: DedupeKey(
        input: input,
        resolvedRecipe: recipe.digest,
        pixelVersion: 1,
        outputs: outputs
      ),
      input: input,
      recipe: recipe.digest,
      outputs: outputs,
      redo: redo
    )
  }

  static func batch(_ policy: RetryPolicy = .interactive) -> BatchSpecification {
    BatchSpecification(name: "test", retryPolicy: policy)
  }

  /// A sealed batch of `count` new jobs.
  @discardableResult
  func submit(
    _ numbers: some Sequence<Int>,
    policy: RetryPolicy = .interactive
  ) throws -> BatchID {
    let batch = try store.createBatch(Self.batch(policy))
    let jobs = numbers.map { Self.job($0) }
    let result = try store.enqueue(jobs, into: batch)
    precondition(result.inserted == jobs.count)
    try store.seal(batch)
    return batch
  }

  func worker(_ store: JobStore? = nil) throws -> WorkerID {
    try (store ?? self.store).register(Self.workerSpecification)
  }

  static let workerSpecification = WorkerSpecification(
    host: "host",
    bootID: "boot",
    processID: 1,
    processStartTicks: 2,
    version: "test",
    slots: 2,
    threads: 1,
    roots: ["/", "out", "shoot"]
  )

  static func output(_ job: ClaimedJob, content: String = "pixels") -> OutputRecord {
    OutputRecord(
      id: job.outputs[0].id,
      location: job.outputs[0].location,
      size: 50,
      sha256: SHA256.digest(of: Array(content.utf8)),
      width: 40,
      height: 30,
      format: "heic",
      colorSpace: "displayP3",
      bitDepth: 8
    )
  }

  static func report(_ job: ClaimedJob) -> JobReport {
    JobReport(
      lease: job.lease,
      provenance: ProvenanceRecord(
        input: job.input,
        inputSHA256: SHA256.digest(of: [1]),
        recipeDigest: job.recipe.digest,
        resolvedDigest: SHA256.digest(of: [2]),
        resolvedSettings: .object([("exposure", .number(0.5)), ("note", .string("a\u{0}b"))]),
        pixelVersion: 1,
        engineVersion: "0.1",
        sourceRevision: "abc",
        libraryVersions: ["libheif": "1.15.1"],
        host: "host",
        stageNanoseconds: [("decode", 5), ("encode", 7)],
        peakMemoryBytes: 9
      ),
      pixels: 1_200
    )
  }

  static func failure(_ failureClass: FailureClass) -> JobFailure {
    JobFailure(failureClass: failureClass, code: "someFailure", message: "it \u{0} failed")
  }

  /// A number out of the database.
  func number(_ sql: String) throws -> Int {
    try database.connection().queryOnce(sql, named: "test")[0].int(0)
  }

  /// Where a job stands, by the tables.
  func state(_ job: JobID) throws -> JobState {
    let row = try database.connection().queryOnce(
      """
      SELECT coalesce(outcome, 0), ready, run_at IS NOT NULL,
        EXISTS (SELECT FROM lease WHERE job_id = id) FROM job WHERE id = $1
      """,
      [.int64(job.rawValue)],
      named: "test"
    )[0]
    let outcome = try row.int(0)
    let isReady = try row.bool(1)
    let isDelayed = try row.bool(2)
    let isLeased = try row.bool(3)
    switch (outcome, isReady, isDelayed, isLeased) {
    case (0, true, false, false): return .ready
    case (0, false, true, false): return .delayed
    case (0, false, false, true): return .running
    case (1...4, false, false, false): return .ended(Outcome.allCases[outcome - 1])
    default:
      throw FixtureError.impossibleState(
        "outcome \(outcome), ready \(isReady), delayed \(isDelayed), leased \(isLeased)"
      )
    }
  }

  /// Lets every delay pass.
  func passDelays() throws {
    try database.connection().execute(
      "UPDATE job SET run_at = now() - interval '1 s' WHERE run_at IS NOT NULL",
      named: "test"
    )
  }
}

enum FixtureError: Error {
  case impossibleState(String)
}
