package import Diagnostics

/// Why an attempt failed.
package struct JobFailure: Equatable, Sendable {
  package var failureClass: FailureClass
  package var code: ErrorCode
  /// One sentence for people.
  package var message: String

  package init(failureClass: FailureClass, code: ErrorCode, message: String) {
    self.failureClass = failureClass
    self.code = code
    self.message = message
  }

  package init(_ error: some Diagnosable) {
    self.init(
      failureClass: FailureClass(error.disposition),
      code: error.code,
      message: error.message
    )
  }
}
