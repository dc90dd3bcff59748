internal import Digest
internal import Discovery
internal import FileSystem
internal import JobModel
internal import JobStore
internal import Worker

/// Recognises inputs that are outputs already: originals that the same recipe replaced.
enum KnownReplacements {
  /// Gives each job whose input is such an output the identity of the job that made it, which is done,
  /// or was interrupted on the way to it.
  static func adopt(
    _ jobs: inout [JobSpecification],
    _ files: [FoundFile],
    recipe: SHA256Digest,
    _ store: JobStore
  ) throws(ProgramError) {
    let locations = jobs.map(\.input.location)
    let known = try wrappingQueue { () throws(JobStoreError) in
      try store.replacements(at: locations)
    }
    // The newest of those for one place counts; they come in order.
    let byPlace = Dictionary(
      known.filter { $0.recipe == recipe && !$0.isRestored }
        .map { ($0.record.original.file.location, $0) },
      uniquingKeysWith: { _, new in new }
    )
    var outputs: [(index: Int, replacement: KnownReplacement)] = []
    for (index, file) in files.enumerated() {
      guard let replacement = byPlace[jobs[index].input.location],
        isOutput(file, of: replacement.record)
      else { continue }
      outputs.append((index, replacement))
    }
    let earlier = try wrappingQueue { () throws(JobStoreError) in
      try store.specifications(of: outputs.map(\.replacement.job))
    }
    for (index, replacement) in outputs {
      guard var job = earlier[replacement.job]?.job else { continue }
      job.replacement = ReplacementPlan(kept: replacement.record.kept)
      jobs[index] = job
    }
  }

  /// Whether a file is the new one: by size and time, which it has from the original, else by digest.
  private static func isOutput(
    _ file: FoundFile,
    of record: ReplacementRecord
  ) -> Bool {
    let status = file.status
    guard status.size == record.size, record.sha256 != record.original.sha256 else { return false }
    let hasTime = status.mtimeNanoseconds == record.original.file.modificationNanoseconds
    if hasTime, record.size != record.original.file.size { return true }
    do throws(WorkerError) {
      return try FileDigest.sha256(of: file.path) == record.sha256
    } catch {
      // What can't be read is no known output; as a job it fails by name.
      return false
    }
  }
}
