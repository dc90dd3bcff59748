internal import Diagnostics
internal import FileSystem
internal import JobModel

extension RenderSlot {
  /// Codes of a disk that takes nothing more: the host's fault, or that of the share that it has there.
  private static let diskCodes: Set<ErrorCode> = [
    "diskFull", "quotaExceeded", "readOnlyFileSystem",
  ]

  /// What the queue is told of an error.
  func failure(of job: ClaimedJob, _ error: WorkerError) -> JobFailure {
    var failure = JobFailure(error)
    if error.isCrash { failure.failureClass = .crash }
    switch error {
    case .rootNotMounted(let root, _): failure.root = root
    case .childOutOfMemory(let limit, _, _): failure.memoryLimit = limit > 0 ? limit : nil
    case .child(let remote) where remote.disposition == .resource && remote.code == "outOfMemory":
      failure.memoryLimit = memoryLimit
    default: break
    }
    if RenderSlot.diskCodes.contains(error.code) {
      failure.failureClass = .hostFault
      failure.root = outputRoot(of: job, error)
    }
    return failure
  }

  /// The root of the output that an error is about; of the first where that is not said.
  private func outputRoot(of job: ClaimedJob, _ error: WorkerError) -> String? {
    let outputs = job.outputs.map(\.location)
    guard case .system(let cause) = error, let path = cause.path else { return outputs.first?.root }
    let named = outputs.first { output in
      settings.roots.path(of: output).map { $0.parent == path.parent || $0 == path } ?? false
    }
    return named?.root ?? outputs.first?.root
  }
}
