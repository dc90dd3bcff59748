internal import JSON
internal import JobModel
internal import Rendering

/// What a job's attempt came to before anything was published: all that its completion records.
///
/// It is kept with a replacement, so that an attempt that ended between the rename and its completion
/// can be completed without its input, which may be gone.
struct RenderedJob {
  /// The child's report as it came.
  var render: JSONValue
  var peakBytes: Int64
  var proofs: [ProvenOutput]

  var json: JSONValue {
    [
      "render": render, "peakBytes": .init(peakBytes), "proofs": .array(proofs.map(\.json)),
    ]
  }

  init(render: JSONValue, peakBytes: Int64, proofs: [ProvenOutput]) {
    self.render = render
    self.peakBytes = peakBytes
    self.proofs = proofs
  }

  init(json: JSONValue) throws(JSONError) {
    render = try json.require("render")
    peakBytes = try json.requireInteger("peakBytes", as: Int64.self)
    proofs = []
    for proof in try json.requireArray("proofs") { proofs.append(try ProvenOutput(json: proof)) }
  }

  /// The child's report.
  func renderReport() throws(WorkerError) -> RenderReport {
    do throws(JSONError) {
      return try RenderReport(json: render)
    } catch {
      throw .reportInvalid(detail: error.message)
    }
  }

  /// The settings as they are committed, with what was passed over of the input among them: an output that
  /// states a digest of its own no longer shows that the input had a wrong one.
  private func settings(of report: RenderReport) -> JSONValue {
    var members = render["resolvedSettings"]?.objectValue ?? []
    for (name, texts) in [
      ("skippedOpcodes", report.skippedOpcodes), ("warnings", report.warnings),
    ] where !texts.isEmpty {
      members.append((key: name, value: JSONValue.array(texts.map { .string($0) })))
    }
    return .object(members)
  }

  /// What is committed.
  func report(
    of job: ClaimedJob,
    host: String,
    stages: [(String, Duration)],
    isReplacement: Bool
  ) throws(WorkerError) -> JobReport {
    let rendered = try renderReport()
    var report = JobReport(
      job: job,
      report: rendered,
      settings: settings(of: rendered),
      host: host,
      peakBytes: peakBytes,
      ownStages: stages
    )
    report.proofs = proofs.compactMap(\.record)
    report.isReplacement = isReplacement
    return report
  }
}
