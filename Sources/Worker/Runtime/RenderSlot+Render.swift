internal import FileSystem
internal import JSON
internal import JobModel
internal import Rendering

extension RenderSlot {
  /// Renders a job and publishes what came of it.
  func render(_ job: ClaimedJob, _ services: Services) throws(WorkerError) -> JobReport {
    if job.replacement != nil, let report = try recoverReplacement(of: job, services) {
      return report
    }
    let input = try openInput(job.input)
    var targets: [OutputTarget] = []
    for output in job.outputs {
      let path = try path(of: output.location)
      targets.append(OutputTarget(id: output.id, path: path))
    }
    // Outputs that an earlier attempt or a stranger put there are found before the work, not after.
    let name = "\(job.id)"
    try sweep(targets, name, before: job.attempt)
    let set = try OutputSet.create(targets: targets, job: name, attempt: job.attempt)
    defer { set.discard() }
    let recipe = try recipe(of: job)
    let answer = try ask(
      .render(
        recipe: recipe,
        threads: settings.threads,
        inputName: job.input.location.path.nameForFiles
      ),
      files: [input] + set.files,
      services.observe
    )
    var rendered = RenderedJob(render: answer.value, peakBytes: answer.peakBytes, proofs: [])
    let report = try rendered.renderReport()
    guard report.inputByteCount == job.input.size else {
      throw .inputChanged(
        input.descriptor.path ?? "the input",
        detail: "\(report.inputByteCount) bytes were read instead of \(job.input.size)"
      )
    }

    let start = SystemInformation.monotonicTime
    let written = try verify(input, set, report, recipe, &rendered, services)
    let verified = SystemInformation.monotonicTime
    guard services.awaitRight(), !isInterrupted else { throw .interrupted }
    var isReplacement = false
    if job.replacement != nil {
      isReplacement = try replace(job, input, set, written, rendered, services)
    } else {
      try publish(job, set, report, written, services)
    }
    let published = SystemInformation.monotonicTime
    return try rendered.report(
      of: job,
      host: settings.host,
      stages: [("verify", verified - start), ("publish", published - verified)],
      isReplacement: isReplacement
    )
  }

  /// Flushes the outputs, reads them back, and proves those that store the input's samples anew.
  private func verify(
    _ input: OpenFile,
    _ set: OutputSet,
    _ report: RenderReport,
    _ recipe: JSONValue,
    _ rendered: inout RenderedJob,
    _ services: Services
  ) throws(WorkerError) -> [WrittenOutput] {
    let written = try set.verify(byteCounts: report.outputs.map { Int64($0.byteCount) })
    for (index, rule) in try ProofRule.rules(ofRecipe: recipe).enumerated() {
      guard let rule else { continue }
      rendered.proofs.append(
        try prove(
          written[index],
          input,
          set.files[index],
          by: rule,
          inputSHA256: report.inputSHA256,
          services
        )
      )
    }
    return written
  }

  private func publish(
    _ job: ClaimedJob,
    _ set: OutputSet,
    _ report: RenderReport,
    _ written: [WrittenOutput],
    _ services: Services
  ) throws(WorkerError) {
    let records = JobReport.outputs(job: job, report: report, written: written)
    let earlier = try services.recordIntents(job.lease, records, nil)
    var known = written.map {
      KnownOutput(path: $0.target.path, size: $0.size, sha256: $0.sha256)
    }
    for intent in earlier {
      let path = try path(of: intent.output.location)
      known.append(KnownOutput(path: path, size: intent.output.size, sha256: intent.output.sha256))
    }
    try set.publish(written, known: known) { services.awaitRight() && !isInterrupted }
  }
}
