/// How the program ended, for scripts: the codes of sysexits.h where one fits.
///
/// A command that the caller wants run at the end has its own code passed on.
struct ExitCode: RawRepresentable, Equatable, Sendable {
  let rawValue: Int32

  /// Everything that was asked for is done.
  static let success = ExitCode(rawValue: 0)
  /// Some pictures failed.
  static let someFailed = ExitCode(rawValue: 1)
  /// The call or the recipe is wrong (EX_USAGE).
  static let usage = ExitCode(rawValue: 64)
  /// The database cannot be reached (EX_UNAVAILABLE).
  static let databaseUnavailable = ExitCode(rawValue: 69)
  /// Something that is neither the caller's nor a picture's fault (EX_SOFTWARE).
  static let internalError = ExitCode(rawValue: 70)
  /// Standard output was cut short (EX_IOERR).
  static let outputFailed = ExitCode(rawValue: 74)
  /// The program and the schema of the database are of different versions (EX_CONFIG).
  static let versionMismatch = ExitCode(rawValue: 78)
}
