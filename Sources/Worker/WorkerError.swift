package import Diagnostics
package import FileSystem
package import ProcessControl

/// Why a picture was not rendered and published.
package enum WorkerError: Error, Equatable, Sendable {
  /// The input is not the file that was submitted, or changed while it was read.
  case inputChanged(FilePath, detail: String)
  /// The input is a folder, a pipe or a device.
  case inputNotAFile(FilePath)
  /// The input is larger than anything that is read into memory.
  case inputTooLarge(FilePath, byteCount: Int64, limit: Int64)
  /// The child ended without an answer.
  case childCrashed(ProgramExit.Reason, stage: String?, lastWords: String)
  /// The child needed more memory than it was allowed, or than the host had; 0: without a limit.
  case childOutOfMemory(limit: Int64, stage: String?, lastWords: String)
  /// The child did not answer within its wall limit and was killed.
  case wallLimitExceeded(seconds: Int64, stage: String?)
  /// The child said something that has no place in the protocol and was killed.
  case childProtocol(ChannelError)
  /// The child could not be started.
  case childNotStarted(SystemError)
  /// What the child says is wrong with the input, the recipe or the outputs.
  case child(RemoteFailure)
  /// The report of the child lacks something or contradicts the files.
  case reportInvalid(detail: String)
  /// A file that this job did not write has the name of an output.
  case outputExists(FilePath)
  /// Two outputs of one job have one name.
  case outputTwice(FilePath)
  /// A written output reads back differently.
  case outputUnverified(FilePath, detail: String)
  /// This host does not know the root, or its folder is not there.
  case rootNotMounted(root: String, folder: FilePath?)
  /// A path that leaves its root.
  case pathOutsideRoot(FilePath)
  /// An output that stores the input's samples anew is not as close to them as its recipe asks.
  case outputUnproven(FilePath, detail: String)
  /// The kept original is not there, or not what was kept.
  case originalNotKept(FilePath, detail: String)
  /// The job was stopped: its batch was cancelled, the worker ends, or its lease is lost.
  case interrupted
  case system(SystemError)
}

extension WorkerError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .inputChanged: "inputChanged"
    case .inputNotAFile: "inputNotAFile"
    case .inputTooLarge: "inputTooLarge"
    case .childCrashed: "childCrashed"
    case .childOutOfMemory: "outOfMemory"
    case .wallLimitExceeded: "wallLimitExceeded"
    case .childProtocol(let error): error.code
    case .childNotStarted: "childNotStarted"
    case .child(let failure): failure.code
    case .reportInvalid: "reportInvalid"
    case .outputExists: "outputExists"
    case .outputTwice: "outputTwice"
    case .outputUnverified: "outputUnverified"
    case .outputUnproven: "outputUnproven"
    case .originalNotKept: "originalNotKept"
    case .rootNotMounted: "rootNotMounted"
    case .pathOutsideRoot: "pathOutsideRoot"
    case .interrupted: "interrupted"
    case .system(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .inputChanged(let path, let detail): "\(path) changed since it was submitted: \(detail)"
    case .inputNotAFile(let path): "\(path) is not a regular file"
    case .inputTooLarge(let path, let count, let limit):
      "\(path) has \(count) bytes, more than the \(limit) that are read"
    case .childCrashed(let reason, let stage, let lastWords):
      "the render process ended with \(reason)\(WorkerError.during(stage))"
        + (lastWords.isEmpty ? "" : ": \(lastWords)")
    case .childOutOfMemory(let limit, let stage, let lastWords):
      "the render process ran out of memory\(WorkerError.during(stage))"
        + (limit > 0 ? "; it was allowed \(limit >> 20) MiB" : "")
        + (lastWords.isEmpty ? "" : ": \(lastWords)")
    case .wallLimitExceeded(let seconds, let stage):
      "the render process did not finish within \(seconds) s\(WorkerError.during(stage))"
    case .childProtocol(let error): "the render process was stopped: \(error.message)"
    case .childNotStarted(let error): "the render process could not be started: \(error.message)"
    case .child(let failure): failure.message
    case .reportInvalid(let detail): "the render process gave an invalid report: \(detail)"
    case .outputExists(let path):
      "\(path) exists and was not written by this job: move it away or choose another folder"
    case .outputTwice(let path): "two outputs are named \(path): give one a suffix"
    case .outputUnverified(let path, let detail): "\(path) reads back differently: \(detail)"
    case .outputUnproven(let path, let detail):
      "\(path) was not published: a fresh decode differs from the input: \(detail)"
    case .originalNotKept(let path, let detail):
      "the original can't be put back: \(path): \(detail)"
    case .rootNotMounted(let root, let folder?): "root \(root) is not mounted at \(folder)"
    case .rootNotMounted(let root, nil):
      "root \(root) is unknown on this host: give its folder with --root \(root)=FOLDER"
    case .pathOutsideRoot(let path): "\(path) leads out of its root"
    case .interrupted: "the job was stopped"
    case .system(let error): error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .inputChanged, .inputNotAFile, .inputTooLarge, .outputExists, .outputTwice,
      .outputUnproven, .originalNotKept, .pathOutsideRoot:
      .permanent
    // Worth another attempt, but counted as crashes where a queue counts (see `isCrash`).
    case .childCrashed, .wallLimitExceeded, .childProtocol, .reportInvalid: .transient
    case .outputUnverified, .interrupted: .transient
    case .childOutOfMemory: .resource
    case .childNotStarted: .hostFault
    case .child(let failure): failure.disposition
    case .rootNotMounted: .hostFault
    case .system(let error): error.disposition
    }
  }

  /// Whether the process that worked on the job died or misbehaved: such failures are counted apart.
  package var isCrash: Bool {
    switch self {
    case .childCrashed, .wallLimitExceeded, .childProtocol, .reportInvalid: true
    default: false
    }
  }

  private static func during(_ stage: String?) -> String { stage.map { " in stage \($0)" } ?? "" }
}
