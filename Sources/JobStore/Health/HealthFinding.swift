/// Something about the farm that somebody should look at.
package struct HealthFinding: Equatable, Sendable {
  package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// Worth knowing.
    case note
    /// It will hurt, or does already.
    case warning
    /// Work stands still, or results are in danger.
    case critical

    package static func < (left: Severity, right: Severity) -> Bool {
      left.order < right.order
    }

    private var order: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .critical: 2
      }
    }
  }

  package var severity: Severity
  /// A stable name in lower camel case.
  package var code: String
  /// What was found, in one sentence.
  package var message: String
  /// What to do about it.
  package var advice: String

  package init(_ severity: Severity, _ code: String, _ message: String, _ advice: String) {
    self.severity = severity
    self.code = code
    self.message = message
    self.advice = advice
  }
}
