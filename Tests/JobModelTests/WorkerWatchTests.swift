import JobModel
import Testing

@Suite
struct WorkerWatchTests {
  private func beat(_ worker: Int64, _ beat: Int64) -> WorkerBeat {
    WorkerBeat(worker: WorkerID(rawValue: worker), beat: beat)
  }

  @Test
  func aWorkerWhoseBeatStandsStillIsLostAfterItsTime() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    #expect(watch.observe([beat(1, 5)], now: .seconds(100)) == [])
    #expect(watch.observe([beat(1, 5)], now: .seconds(129)) == [])
    #expect(watch.observe([beat(1, 5)], now: .seconds(130)) == [beat(1, 5)])
  }

  @Test
  func aBeatThatMovesStartsTheTimeAnew() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    _ = watch.observe([beat(1, 5), beat(2, 7)], now: .seconds(0))
    #expect(watch.observe([beat(1, 6), beat(2, 7)], now: .seconds(29)) == [])
    #expect(watch.observe([beat(1, 6), beat(2, 7)], now: .seconds(30)) == [beat(2, 7)])
    #expect(watch.observe([beat(1, 6)], now: .seconds(58)) == [])
    #expect(watch.observe([beat(1, 6)], now: .seconds(59)) == [beat(1, 6)])
  }

  /// A watcher that was itself asleep, or has just begun, gives every worker its full time.
  @Test
  func aNewWatcherBuriesNobody() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    #expect(watch.observe((1...50).map { beat($0, 0) }, now: .seconds(1_000_000)) == [])
  }

  @Test
  func aWorkerThatComesBackIsNew() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    _ = watch.observe([beat(1, 5)], now: .seconds(0))
    _ = watch.observe([], now: .seconds(10))
    #expect(watch.observe([beat(1, 5)], now: .seconds(40)) == [])
  }
}
