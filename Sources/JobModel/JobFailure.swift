package import Diagnostics

/// Why an attempt failed.
package struct JobFailure: Equatable, Sendable {
  package var failureClass: FailureClass
  package var code: ErrorCode
  /// One sentence for people.
  package var message: String
  /// The root that the host can't use, where that is to blame.
  package var root: String?
  /// Bytes that the child was allowed when it ran out of memory.
  package var memoryLimit: Int64?

  package init(
    failureClass: FailureClass,
    code: ErrorCode,
    message: String,
    root: String? = nil,
    memoryLimit: Int64? = nil
  ) {
    self.failureClass = failureClass
    self.code = code
    self.message = message
    self.root = root
    self.memoryLimit = memoryLimit
  }

  package init(_ error: some Diagnosable) {
    self.init(
      failureClass: FailureClass(error.disposition),
      code: error.code,
      message: error.message
    )
  }
}
