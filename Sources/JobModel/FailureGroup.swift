package import Diagnostics

/// The failed jobs of a batch that have one code.
package struct FailureGroup: Equatable, Sendable {
  package var code: ErrorCode
  package var failureClass: FailureClass
  package var count: Int

  package init(code: ErrorCode, failureClass: FailureClass, count: Int) {
    self.code = code
    self.failureClass = failureClass
    self.count = count
  }
}
