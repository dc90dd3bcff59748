import DatabaseTestSupport
import Digest
import FileSystem
import JSON
import JobModel
import JobStore
import PostgresClient
import Testing

/// Proofs, replacements and audits in the store.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct RecompressionStoreTests {
  private static let kept = FileLocation(root: "out", path: "old/1.dng")

  private func job(_ number: Int, keeping kept: FileLocation? = kept) -> JobSpecification {
    var job = Fixture.job(number)
    job.replacement = ReplacementPlan(kept: kept)
    return job
  }

  private func submit(_ fixture: Fixture, _ jobs: [JobSpecification]) throws -> EnqueueResult {
    let batch = try fixture.store.createBatch(Fixture.batch())
    let result = try fixture.store.enqueue(jobs, into: batch)
    try fixture.store.seal(batch)
    return result
  }

  private func record(_ job: ClaimedJob, sha256: String = "new") -> ReplacementRecord {
    ReplacementRecord(
      original: ReplacementRecord.Original(
        file: job.input,
        sha256: SHA256.digest(of: Array("old".utf8)),
        inode: UInt64.max - 1,
        mode: 0o640,
        owner: UInt32.max - 1,
        group: 7
      ),
      size: 50,
      sha256: SHA256.digest(of: Array(sha256.utf8)),
      kept: job.replacement?.kept,
      report: ["render": ["a": 1]]
    )
  }

  private func proof(_ verdict: ProofVerdict, worst: Double = 0) -> ProofRecord {
    let file = ProofRecord.File(
      size: 100,
      sha256: SHA256.digest(of: [1]),
      samplesSHA256: SHA256.digest(of: [2])
    )
    return ProofRecord(
      outputID: "heic",
      verdict: verdict,
      input: file,
      output: file,
      samples: 10,
      differing: worst > 0 ? 1 : 0,
      worstCodes: worst,
      rmsCodes: worst / 3,
      worstSigma: worst / 2,
      rmsSigma: worst / 7,
      worstHalfSteps: worst / 5,
      psnr: worst > 0 ? 60 : nil,
      tags: [["tag": "Software"]]
    )
  }

  @Test
  func aClaimTellsWhatReplaces() throws {
    let fixture = try Fixture()
    #expect(try submit(fixture, [job(1), Fixture.job(2), job(3, keeping: nil)]).inserted == 3)
    let jobs = try fixture.store.claim(fixture.worker(), count: 3)
    #expect(
      jobs.map(\.replacement)
        == [ReplacementPlan(kept: Self.kept), nil, ReplacementPlan(kept: nil)]
    )
  }

  @Test
  func twoJobsCanNotKeepTheirOriginalsInOnePlace() throws {
    let fixture = try Fixture()
    #expect(try submit(fixture, [job(1)]).inserted == 1)
    let second = try submit(fixture, [job(2)])
    #expect(second.inserted == 0)
    #expect(second.refused.map(\.output) == [Self.kept])
    #expect(try submit(fixture, [job(3, keeping: nil), job(4)]).refused.count == 1)
  }

  @Test
  func aReplacementIsIntendedUnderTheLeaseAndDoneWithTheJob() throws {
    let fixture = try Fixture()
    _ = try submit(fixture, [job(1)])
    let claimed = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    #expect(try fixture.store.replacement(of: claimed.id) == nil)
    let output = Fixture.output(claimed)
    _ = try fixture.store.recordIntent(
      claimed.lease,
      outputs: [output],
      replacement: record(claimed)
    )
    let intended = try #require(try fixture.store.replacement(of: claimed.id))
    #expect(!intended.isReplaced && !intended.isRestored)
    #expect(intended.recipe == claimed.recipe.digest)
    #expect(intended.record.original == record(claimed).original)
    #expect(intended.record.kept == Self.kept)
    #expect(intended.record.report == ["render": ["a": 1]])
    // Repeated after a lost connection, it is the same row.
    _ = try fixture.store.recordIntent(
      claimed.lease,
      outputs: [output],
      replacement: record(claimed)
    )
    #expect(try fixture.number("SELECT count(*) FROM replacement") == 1)

    var report = Fixture.report(claimed)
    report.isReplacement = true
    report.proofs = [proof(.nearest, worst: 4)]
    #expect(try fixture.store.complete([report]) == [claimed.id])
    let done = try #require(try fixture.store.replacement(of: claimed.id))
    #expect(done.isReplaced && !done.isRestored)
    let place = claimed.input.location
    #expect(try fixture.store.replacements(at: [place]).map(\.job) == [claimed.id])
    #expect(try fixture.store.replacements(at: [Self.kept]).isEmpty)
    #expect(try fixture.store.replacements(of: claimed.batch).map(\.job) == [claimed.id])
    let known = try #require(try fixture.store.specifications(of: [claimed.id])[claimed.id])
    #expect(known.job.key == job(1).key && !known.isLive)
    let sum = try #require(try fixture.store.proofs(ofJobs: [claimed.id]).first)
    #expect(sum.verdict == .nearest && sum.count == 1 && sum.worstCodes == 4 && sum.worstSigma == 2)
    try fixture.store.markRestored(claimed.id)
    #expect(try fixture.store.replacement(of: claimed.id)?.isRestored == true)
  }

  /// A worker that was given up publishes and proves nothing.
  @Test
  func withoutTheLeaseNothingIsRecorded() throws {
    let fixture = try Fixture()
    _ = try submit(fixture, [job(1)])
    let claimed = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    try fixture.store.release([claimed.lease])
    #expect(throws: JobStoreError.leaseLost(claimed.id)) {
      try fixture.store.recordIntent(
        claimed.lease,
        outputs: [Fixture.output(claimed)],
        replacement: record(claimed)
      )
    }
    var hasRun = false
    #expect(throws: JobStoreError.leaseLost(claimed.id)) {
      try fixture.store.holding(claimed.lease) { hasRun = true }
    }
    #expect(!hasRun)
    var report = Fixture.report(claimed)
    report.proofs = [proof(.identical)]
    #expect(try fixture.store.complete([report]).isEmpty)
    #expect(try fixture.number("SELECT count(*) FROM replacement") == 0)
    #expect(try fixture.number("SELECT count(*) FROM proof") == 0)
  }

  /// While a lease is held, nobody else decides the job.
  @Test
  func aHeldLeaseIsNotRescued() throws {
    let fixture = try Fixture()
    _ = try submit(fixture, [job(1)])
    let worker = try fixture.worker()
    let claimed = try #require(try fixture.store.claim(worker, count: 1).first)
    let other = try fixture.database.store()
    try other.retire(worker)
    let rescued = try fixture.store.holding(claimed.lease) { Result { try other.rescue() } }
    #expect(try rescued.get().isEmpty)
    #expect(try other.rescue() == [claimed.id])
  }

  @Test
  func aRedoneJobTakesItsNewPlaceForTheOriginal() throws {
    let fixture = try Fixture()
    _ = try submit(fixture, [job(1)])
    let claimed = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    try fixture.store.fail([
      .init(lease: claimed.lease, failure: Fixture.failure(.permanent), decision: .fail)
    ])
    let other = FileLocation(root: "out", path: "elsewhere/1.dng")
    #expect(try submit(fixture, [job(1, keeping: other)]).redone == 1)
    let again = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    #expect(again.replacement == ReplacementPlan(kept: other))
  }

  @Test
  func auditsGoOnWhereTheyWere() throws {
    let fixture = try Fixture()
    _ = try submit(fixture, [job(1), Fixture.job(2)])
    let jobs = try fixture.store.claim(fixture.worker(), count: 2)
    var reports: [JobReport] = []
    for job in jobs {
      _ = try fixture.store.recordIntent(
        job.lease,
        outputs: [Fixture.output(job)],
        replacement: job.replacement == nil ? nil : record(job)
      )
      var report = Fixture.report(job)
      report.isReplacement = job.replacement != nil
      reports.append(report)
    }
    _ = try fixture.store.complete(reports)
    let scope = AuditScope.batch(jobs[0].batch)
    let first = try fixture.store.beginAudit(scope, restarts: false)
    #expect(!first.isResumed)
    var files: [AuditedFile] = []
    while true {
      let page = try fixture.store.files(
        of: scope,
        audit: first.id,
        after: files.last.map { .init($0) },
        limit: 1
      )
      if page.isEmpty { break }
      files += page
    }
    // Two outputs and the original of the first job, each once.
    #expect(files.map(\.isOriginal) == [true, false, false])
    #expect(files[0].location == Self.kept)
    #expect(files[0].sha256 == SHA256.digest(of: Array("old".utf8)))
    try fixture.store.record([(files[0], .intact), (files[1], .missing)], audit: first.id)

    let resumed = try fixture.store.beginAudit(scope, restarts: false)
    #expect(resumed.isResumed && resumed.id == first.id)
    let again = try fixture.store.files(of: scope, audit: first.id, after: nil)
    #expect(again.map(\.result) == [.intact, .missing, nil])
    try fixture.store.finishAudit(first.id)
    let next = try fixture.store.beginAudit(scope, restarts: false)
    #expect(next.id != first.id && !next.isResumed)
    #expect(
      try fixture.store.files(of: scope, audit: next.id, after: nil).map(\.result) == [
        nil, nil, nil,
      ]
    )
    let restarted = try fixture.store.beginAudit(scope, restarts: true)
    #expect(restarted.id != next.id && !restarted.isResumed)

    // By folder: what lies in it, and not what begins like it.
    func paths(_ root: String, _ path: FilePath) throws -> [FilePath] {
      let folder = AuditScope.folder([FileLocation(root: root, path: path)])
      let audit = try fixture.store.beginAudit(folder, restarts: false)
      return try fixture.store.files(of: folder, audit: audit.id, after: nil)
        .map(\.location.path).sorted()
    }
    #expect(try paths("out", "old") == ["old/1.dng"])
    #expect(try paths("out", "ol") == [])
    #expect(try paths("out", "") == ["1.heic", "2.heic", "old/1.dng"])
    #expect(try paths("/", "") == [])
    #expect(
      try fixture.store.recorded(at: [
        FileLocation(root: "out", path: "1.heic"), FileLocation(root: "out", path: "3.heic"),
        Self.kept, FileLocation(root: "/", path: "1.heic"),
      ]) == [0, 2]
    )
    // An original that was put back is not missing, and its replacement is gone by intention.
    try fixture.store.markRestored(jobs[0].id)
    #expect(try paths("out", "") == ["2.heic"])
  }
}
