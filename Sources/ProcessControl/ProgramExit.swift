/// How a program ended and what it had used.
package struct ProgramExit: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// It ended with this exit code.
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)
  }

  package let reason: Reason
  package let userTime: Duration
  package let systemTime: Duration
  /// The largest resident size in bytes; the kernel counts in what it had before its exec.
  package let peakBytes: Int64

  package init(
    reason: Reason,
    userTime: Duration = .zero,
    systemTime: Duration = .zero,
    peakBytes: Int64 = 0
  ) {
    self.reason = reason
    self.userTime = userTime
    self.systemTime = systemTime
    self.peakBytes = peakBytes
  }

  /// Whether it ended with exit code 0.
  package var isSuccess: Bool { reason == .code(0) }
}

extension ProgramExit.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .code(let code): "exit code \(code)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}
