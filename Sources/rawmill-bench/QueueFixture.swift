internal import Digest
internal import EmbeddedPostgres
internal import FileSystem
internal import Glibc
internal import JSON
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import Synchronization

/// A queue on a private server of the bench's own, stopped and removed with the last reference.
///
/// The server is as `rawmill run` starts it: commits wait for the disk, checksums are on.
final class QueueFixture: Sendable {
  let address: DatabaseAddress
  private let folder: ClusterFolder
  private let submitted = Atomic<Int>(0)

  static let recipe = RecipeRecord(
    digest: SHA256.digest(of: Array("{\"recipe\":1}".utf8)),
    canonicalJSON: "{\"recipe\":1}"
  )

  init() throws {
    // Not in the scratch folder, which the server's user can't enter when root runs the bench.
    folder = ClusterFolder(root: FilePath("/tmp/rawmill-bench-queue-\(getpid())"))
    address = try EmbeddedPostgres(folder).start()
    let migrations = try Migration.load(from: MigrationFolder.find())
    try Migrator(migrations: migrations).migrate(address)
    try JobStore.open(address).register([Self.recipe])
  }

  deinit {
    _ = try? EmbeddedPostgres(folder).stop()
    try? folder.root.removeTree()
  }

  /// Submits jobs that no other call submits, as one batch.
  func submit(_ count: Int) throws {
    let store = try JobStore.open(address)
    let batch = try store.createBatch(
      BatchSpecification(name: "bench", retryPolicy: .farm)
    )
    let first = submitted.add(count, ordering: .relaxed).oldValue
    _ = try store.enqueue((first..<(first + count)).map(Self.job), into: batch)
    try store.seal(batch)
  }

  /// Puts plain jobs into the queue by SQL, faster than by submission, with statistics.
  func fill(_ count: Int, _ store: JobStore) throws {
    let batch = try store.createBatch(BatchSpecification(name: "bench", retryPolicy: .farm))
    try store.connection.execute(
      """
      INSERT INTO job (batch_id, dedupe_key, recipe_digest, input_root, input_path, input_size,
        input_mtime_ns, output_ids, output_roots, output_paths)
      SELECT \(batch), sha256(n::text::bytea), '\\x\(Self.recipe.digest.hex)', 'shoot',
        ('2026/wedding/card2/IMG_' || n || '.dng')::bytea, 25000000, 1, '{heic}', '{delivery}',
        ARRAY[('2026/wedding/card2/IMG_' || n || '.heic')::bytea]
      FROM generate_series(1, \(count)) AS n;
      UPDATE batch SET total = \(count), has_ready = true WHERE id = \(batch);
      ANALYZE
      """,
      named: "fill"
    )
    try store.seal(batch)
  }

  static func worker(slots: Int) -> WorkerSpecification {
    WorkerSpecification(
      host: "bench",
      bootID: "bench",
      processID: 1,
      processStartTicks: 1,
      version: "bench",
      slots: slots,
      threads: 1,
      roots: ["/", "shoot", "delivery"]
    )
  }

  static func job(_ number: Int) -> JobSpecification {
    let name = "2026/wedding/card2/IMG_\(number)"
    let input = InputFile(
      location: FileLocation(root: "shoot", path: FilePath("\(name).dng")),
      size: 25_000_000,
      modificationNanoseconds: 1_700_000_000_000_000_000
    )
    let outputs = [
      PlannedOutput(
        id: "heic",
        location: FileLocation(root: "delivery", path: FilePath("\(name).heic"))
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
      outputs: outputs
    )
  }

  /// A report with a provenance row of the usual size.
  static func report(_ job: ClaimedJob) -> JobReport {
    let settings: JSONValue = .object([
      ("exposure", .number(0.35)), ("neutralTemperature", .integer(5_600)),
      ("neutralTint", .integer(8)), ("boostAmount", .integer(1)),
      ("isGamutMappingEnabled", .bool(true)),
    ])
    return JobReport(
      lease: job.lease,
      provenance: ProvenanceRecord(
        input: job.input,
        inputSHA256: recipe.digest,
        recipeDigest: job.recipe.digest,
        resolvedDigest: recipe.digest,
        resolvedSettings: settings,
        pixelVersion: 1,
        engineVersion: "bench",
        sourceRevision: "bench",
        libraryVersions: ["libheif": "1.15.1", "x265": "3.5"],
        host: "bench",
        stageNanoseconds: [("decode", 5_000_000), ("develop", 9_000_000), ("encode", 7_000_000)],
        peakMemoryBytes: 200_000_000
      ),
      pixels: 12_000_000
    )
  }
}
