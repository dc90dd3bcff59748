internal import FileSystem
internal import Worker

/// Shorter times for tests of faults, from the environment; every worker of a queue needs the same.
enum TestTimes {
  static let lease = "RAWMILL_TEST_LEASE"
  static let wallLimit = "RAWMILL_TEST_WALL_LIMIT"

  /// Takes the times over: milliseconds, at least 100; anything else is left out.
  static func apply(to configuration: inout WorkerConfiguration) {
    if let length = milliseconds(lease) {
      configuration.leaseLength = length
      // As many beats in a lease as by default.
      configuration.beatInterval = length / 6
    }
    if let length = milliseconds(wallLimit) { configuration.wallLimit = length }
  }

  private static func milliseconds(_ name: String) -> Duration? {
    guard let text = SystemInformation.environment(name), let number = Int64(text), number >= 100
    else {
      return nil
    }
    return .milliseconds(number)
  }
}
