/// Why a program that a test ran gave no result.
package enum ProgramRunError: Error, Equatable {
  case noInterpreter
  /// It did not end in time and was killed.
  case timedOut(standardOutput: String, standardError: String)
  case failed(reason: String, standardError: String)
}
