/// How far a batch is, at one moment.
package struct ProgressSnapshot: Equatable, Sendable {
  package var done: Int
  package var failed: Int
  package var total: Int
  /// Pixels of the pictures that are done, in millions.
  package var megapixels: Double
  /// Since the beginning.
  package var elapsed: Duration
  /// Pictures per second, nil where nobody knows yet.
  package var picturesPerSecond: Double?
  package var megapixelsPerSecond: Double?

  package init(
    done: Int,
    failed: Int,
    total: Int,
    megapixels: Double = 0,
    elapsed: Duration,
    picturesPerSecond: Double? = nil,
    megapixelsPerSecond: Double? = nil
  ) {
    self.done = done
    self.failed = failed
    self.total = total
    self.megapixels = megapixels
    self.elapsed = elapsed
    self.picturesPerSecond = picturesPerSecond
    self.megapixelsPerSecond = megapixelsPerSecond
  }

  /// Pictures that are over, well or not.
  package var finished: Int { min(done + failed, max(total, 0)) }

  /// 0 to 1.
  package var fraction: Double { total > 0 ? Double(finished) / Double(total) : 1 }

  /// Seconds until all is over at the present rate; nil where nobody knows.
  package var secondsLeft: Int64? {
    guard let rate = picturesPerSecond, rate > 0 else { return nil }
    let seconds = (Double(total - finished) / rate).rounded(.up)
    return seconds < 1e9 ? Int64(seconds) : nil
  }
}
