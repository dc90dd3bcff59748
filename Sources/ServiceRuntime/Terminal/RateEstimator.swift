/// How fast something counts, over the last while.
package struct RateEstimator: Sendable {
  private struct Sample {
    var time: Duration
    var count: Double
  }

  private let window: Duration
  private var samples: [Sample] = []

  /// A window of a minute smooths batches of pictures that end together and still follows a change.
  package init(window: Duration = .seconds(60)) {
    self.window = window
  }

  /// Notes what the count is at a time; times do not go back.
  package mutating func add(_ count: Double, at time: Duration) {
    // The newest sample that is older than the window is its start.
    while samples.count > 1, samples[1].time + window <= time {
      samples.removeFirst()
    }
    // Samples closer than a 64th of the window would only cost memory.
    if samples.count > 1, time - samples[samples.count - 2].time < window / 64 {
      samples[samples.count - 1] = Sample(time: time, count: count)
    } else {
      samples.append(Sample(time: time, count: count))
    }
  }

  /// Counts per second; nil before there are two times.
  package var perSecond: Double? {
    guard let first = samples.first, let last = samples.last, last.time > first.time else {
      return nil
    }
    return (last.count - first.count) / ((last.time - first.time) / .seconds(1))
  }
}
