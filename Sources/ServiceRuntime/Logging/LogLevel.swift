/// How much a line of the log matters.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug
  case info
  case warning
  case error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.severity < right.severity
  }

  private var severity: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }

  /// The priority of syslog, which systemd's journal takes from `<N>` before a line (sd-daemon(3)).
  var journalPrefix: String {
    switch self {
    case .debug: "<7>"
    case .info: "<6>"
    case .warning: "<4>"
    case .error: "<3>"
    }
  }
}
