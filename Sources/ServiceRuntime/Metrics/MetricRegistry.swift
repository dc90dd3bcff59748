internal import Synchronization

/// The metrics of a process, in the order in which they were made.
package final class MetricRegistry: Sendable {
  /// What an answer with these bytes is called.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private struct State {
    var families: [MetricFamily] = []
    var collectors: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Takes a family in; its name must be new.
  package func register(_ family: MetricFamily) -> MetricFamily {
    state.withLock { state in
      precondition(!state.families.contains { $0.name == family.name }, "\(family.name) is new")
      state.families.append(family)
    }
    return family
  }

  /// Has `collect` set gauges before each exposition, in the thread that asks for it.
  package func beforeExposition(_ collect: @escaping @Sendable () -> Void) {
    state.withLock { $0.collectors.append(collect) }
  }

  package func counter(_ name: String, _ help: String, labels: [String] = []) -> MetricFamily {
    register(MetricFamily(.counter, name, help, labels: labels))
  }

  package func gauge(_ name: String, _ help: String, labels: [String] = []) -> MetricFamily {
    register(MetricFamily(.gauge, name, help, labels: labels))
  }

  package func histogram(
    _ name: String,
    _ help: String,
    labels: [String] = [],
    bounds: [Double]
  ) -> MetricFamily {
    register(MetricFamily(.histogram, name, help, labels: labels, bounds: bounds))
  }

  /// Everything in Prometheus' text format, version 0.0.4.
  package func exposition() -> String {
    for collect in state.withLock(\.collectors) { collect() }
    return state.withLock(\.families).map { $0.exposition() }.joined()
  }
}
