/// Times stages and tells the observer of them.
struct StageClock {
  private let observer: RenderObserver
  private let clock = ContinuousClock()
  private(set) var stages: [RenderReport.Stage] = []
  private var done = 0.0

  init(observer: RenderObserver) {
    self.observer = observer
  }

  /// Runs one stage, which is `share` of the whole render's usual time.
  mutating func run<Result: ~Copyable, Failure: Error>(
    _ name: String,
    share: Double,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    observer.stage(name)
    let start = clock.now
    let result = try body()
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    stages.append(RenderReport.Stage(name: name, nanoseconds: nanoseconds))
    done = min(1, done + share)
    observer.progress(done)
    return result
  }
}
