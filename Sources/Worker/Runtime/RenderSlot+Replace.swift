internal import Digest
internal import FileSystem
internal import Glibc
internal import JSON
internal import JobModel
internal import Rendering

extension RenderSlot {
  /// Puts the verified output in the place of the input.
  ///
  /// - Returns: Whether it did: bytes that are the input's own leave it alone.
  func replace(
    _ job: ClaimedJob,
    _ input: OpenFile,
    _ set: OutputSet,
    _ written: [WrittenOutput],
    _ rendered: RenderedJob,
    _ services: Services
  ) throws(WorkerError) -> Bool {
    let report = try rendered.renderReport()
    guard let item = set.items.first, let output = written.first, set.items.count == 1 else {
      throw .reportInvalid(detail: "a replacement by \(set.items.count) outputs")
    }
    let records = JobReport.outputs(job: job, report: report, written: written)
    if output.sha256 == report.inputSHA256 {
      // Done before, or kept as it is: the file is its own output.
      _ = try services.recordIntents(job.lease, records, nil)
      return false
    }
    try wrapping { () throws(SystemError) in
      try item.file.descriptor.copyAttributes(from: input.descriptor)
      try item.file.descriptor.synchronize()
    }
    let status = try input.descriptor.statusForWorker()
    let record = ReplacementRecord(
      original: ReplacementRecord.Original(
        file: job.input,
        sha256: report.inputSHA256,
        inode: status.inode,
        mode: status.permissions,
        owner: status.owner,
        group: status.group
      ),
      size: output.size,
      sha256: output.sha256,
      kept: job.replacement?.kept,
      report: rendered.json
    )
    var kept: FilePath?
    if let location = record.kept { kept = try path(of: location) }
    let replacement = Replacement(
      original: try path(of: job.input.location),
      temporary: item.temporary,
      kept: kept,
      expected: Replacement.Expected(
        size: status.size,
        mtimeNanoseconds: status.mtimeNanoseconds,
        inode: status.inode,
        sha256: report.inputSHA256
      ),
      job: "\(job.id)",
      attempt: job.attempt
    )
    _ = try services.recordIntents(job.lease, records, record)
    try services.holding(job.lease) {
      do throws(WorkerError) {
        try replacement.commit { services.mayPublish() && !isInterrupted }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    return true
  }

  /// Finds out whether an earlier attempt had already replaced the input, and makes up for what it left.
  ///
  /// - Returns: What is to be committed; nil where the original still stands and all is to be done.
  func recoverReplacement(
    of job: ClaimedJob,
    _ services: Services
  ) throws(WorkerError) -> JobReport? {
    guard job.attempt > 1, let known = try services.replacement(job.id), !known.isReplaced else {
      return nil
    }
    let record = known.record
    let path = try path(of: job.input.location)
    guard try isFile(path, size: record.size, sha256: record.sha256) else { return nil }
    let rendered: RenderedJob
    do throws(JSONError) {
      rendered = try RenderedJob(json: record.report)
    } catch {
      throw .reportInvalid(detail: error.message)
    }
    let report = try rendered.renderReport()
    guard let id = job.outputs.first?.id else { throw .reportInvalid(detail: "no output") }
    try wrapping { () throws(SystemError) in
      // The rename may not have reached the disk.
      try path.parent.synchronizeDirectory()
      try TemporaryName.sweep(
        targets: [OutputTarget(id: id, path: path)],
        job: "\(job.id)",
        attempts: 1..<max(1, job.attempt)
      )
    }
    let written = WrittenOutput(
      target: OutputTarget(id: id, path: path),
      size: record.size,
      sha256: record.sha256
    )
    guard services.awaitRight(), !isInterrupted else { throw .interrupted }
    let records = JobReport.outputs(job: job, report: report, written: [written])
    _ = try services.recordIntents(job.lease, records, record)
    return try rendered.report(of: job, host: settings.host, stages: [], isReplacement: true)
  }

  /// Whether a regular file with these bytes stands under a name.
  private func isFile(
    _ path: FilePath,
    size: Int64,
    sha256: SHA256Digest
  ) throws(WorkerError) -> Bool {
    let file: OpenFile
    do throws(SystemError) {
      guard let status = try path.statusIfExists(followingLinks: false), status.kind == .file,
        status.size == size
      else { return false }
      file = OpenFile(try FileDescriptor.open(path, .read, followingLinks: false))
    } catch {
      if error.errorNumber == ENOENT { return false }
      throw .system(error)
    }
    return try OutputSet.digest(of: file.descriptor) == sha256
  }
}
