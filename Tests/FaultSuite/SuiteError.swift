/// Why a row of the suite could not show what it is there to show.
enum SuiteError: Error, CustomStringConvertible {
  /// Something did not happen in time.
  case timedOut(String)
  case commandFailed(String, output: String)
  case system(call: String, errorNumber: Int32)
  /// The queue did what it must not do, which no history tells.
  case broken(String)
  /// The row can't run here.
  case skipped(String)
  case usage(String)

  var description: String {
    switch self {
    case .timedOut(let what): "in vain waited for: \(what)"
    case .commandFailed(let command, let output): "\(command) failed: \(output)"
    case .system(let call, let number): "\(call): error \(number)"
    case .broken(let what): what
    case .skipped(let reason): reason
    case .usage(let message): message
    }
  }
}
