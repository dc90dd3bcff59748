/// How the program ended, for scripts: the codes of sysexits.h where one fits.
enum ExitCode: Int32, Sendable {
  /// Everything that was asked for is done.
  case success = 0
  /// Some pictures failed.
  case someFailed = 1
  /// The call or the recipe is wrong (EX_USAGE).
  case usage = 64
  /// The database cannot be reached (EX_UNAVAILABLE).
  case databaseUnavailable = 69
  /// Something that is neither the caller's nor a picture's fault (EX_SOFTWARE).
  case internalError = 70
  /// The program and the schema of the database are of different versions (EX_CONFIG).
  case versionMismatch = 78
}
