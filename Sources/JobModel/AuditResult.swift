/// What an audit found of a recorded file.
package enum AuditResult: Int16, CaseIterable, Sendable {
  /// It has the recorded size and digest.
  case intact = 1
  case missing = 2
  /// It has another size or digest.
  case changed = 3
}
