internal import FileSystem
internal import ServiceRuntime
internal import Synchronization

/// What a notifier counts since its start.
final class NotifierMetrics: Sendable {
  let registry = MetricRegistry()
  private let deliveries: MetricFamily
  private let attempts: MetricFamily
  private let answered = Mutex<Duration?>(nil)

  init() {
    deliveries = registry.counter(
      "rawmill_webhook_deliveries_total",
      "Attempts to deliver an event, by how they ended: delivered, failed, givenUp.",
      labels: ["result"]
    )
    for result in ["delivered", "failed", "givenUp"] { deliveries.add(0, result) }
    attempts = registry.histogram(
      "rawmill_webhook_attempts",
      "Attempts that an event took until it was delivered.",
      bounds: [1, 2, 5, 10, 20, 36]
    )
  }

  func delivered(after count: Int) {
    deliveries.add(1, "delivered")
    attempts.observe(Double(count))
  }

  func failed(isGivenUp: Bool) {
    deliveries.add(1, isGivenUp ? "givenUp" : "failed")
  }

  /// The database was asked for events and answered.
  func databaseAnswered() {
    answered.withLock { $0 = SystemInformation.monotonicTime }
  }

  /// Whether the database has answered within a minute.
  var isHealthy: Bool {
    let last = answered.withLock { $0 }
    return last.map { SystemInformation.monotonicTime - $0 < .seconds(60) } ?? false
  }
}
