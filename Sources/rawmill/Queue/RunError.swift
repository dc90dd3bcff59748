internal import Diagnostics
internal import ProcessControl

/// Why `run` could not go on.
enum RunError: Error, Equatable, Sendable {
  /// The worker process ends right after its start, again and again.
  case workerKeepsEnding(ProgramExit)
}

extension RunError: Diagnosable {
  var code: ErrorCode { "workerKeepsEnding" }

  var message: String {
    switch self {
    case .workerKeepsEnding(let exit):
      "the worker process ends again and again right after its start (\(exit.reason)); see its message above"
    }
  }

  var disposition: Disposition { .fatalWorker }
}
