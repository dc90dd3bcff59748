internal import Diagnostics
internal import FileSystem
internal import Recipe
internal import ServiceRuntime

/// Why a command ended without doing what it was asked for.
enum ProgramError: Error, Sendable {
  case usage(UsageError)
  case recipe(RecipeError, file: String)
  /// A file that the caller named cannot be read or written.
  case file(SystemError)
  case database(any Diagnosable)
  /// One picture failed, in a command that is about one picture.
  case picture(FilePath, any Diagnosable)
  case other(any Diagnosable)
  /// Not everything that the program wrote to standard output has arrived.
  case output(SystemError)

  /// The lines for standard error.
  ///
  /// Usage errors are explained by the program itself, with the usage of their command.
  var lines: [String] {
    switch self {
    case .usage(let error): [error.message]
    case .recipe(let error, let file): error.lines(file: file)
    case .file(let error): ["\(error.message) [\(error.code)]"]
    case .output(let error):
      ["standard output was cut short: \(error.message) [\(error.code)]"]
    case .picture(let path, let error):
      // Errors of files name their path themselves.
      ["\(error.message.hasPrefix("\(path)") ? "" : "\(path): ")\(error.message) [\(error.code)]"]
    case .database(let error), .other(let error): ["\(error.message) [\(error.code)]"]
    }
  }

  var code: ErrorCode {
    switch self {
    case .usage(let error): error.code
    case .recipe(let error, _): error.code
    case .file(let error), .output(let error): error.code
    case .database(let error), .picture(_, let error), .other(let error): error.code
    }
  }

  /// A restart of the same program would end the same way.
  private static let versionCodes: Set<ErrorCode> = [
    "schemaMissing", "schemaVersion", "migrationUnknown", "migrationChanged",
  ]

  var exitCode: ExitCode {
    switch self {
    case .usage, .recipe, .file: .usage
    case .database(let error):
      Self.versionCodes.contains(error.code) ? .versionMismatch : .databaseUnavailable
    case .picture: .someFailed
    case .other: .internalError
    case .output: .outputFailed
    }
  }
}
