import FileSystem
import ProcessControl
import TestSupport

/// Calls of the real program.
enum RawmillRun {
  /// Runs `rawmill` with arguments; nothing of the caller's own configuration reaches it.
  static func call(
    _ arguments: String...,
    timeout: Duration = .seconds(60)
  ) throws -> ProgramRun {
    try call(arguments.map { Array($0.utf8) }, timeout: timeout)
  }

  /// The same with arguments of any bytes.
  static func call(_ arguments: [[UInt8]], timeout: Duration = .seconds(60)) throws -> ProgramRun {
    try ProgramRun.run(
      BuiltProduct.rawmill,
      arguments: arguments,
      environment: ["RAWMILL_DATABASE_URL": nil, "COLUMNS": nil],
      timeout: timeout
    )
  }
}

extension ProgramRun {
  /// The exit code, nil after a signal.
  var exitCode: Int32? {
    guard case .code(let code) = exit.reason else { return nil }
    return code
  }
}
