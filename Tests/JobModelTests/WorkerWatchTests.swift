import JobModel
import Testing

@Suite
struct WorkerWatchTests {
  private func beat(_ worker: Int64, _ beat: Int64) -> WorkerBeat {
    WorkerBeat(worker: WorkerID(rawValue: worker), beat: beat)
  }

  /// Looks once a second with the same beats, and gives the seconds at which any were lost.
  private func look(
    _ watch: inout WorkerWatch,
    _ beats: [WorkerBeat],
    _ seconds: ClosedRange<Int>
  ) -> [Int] {
    seconds.filter { !watch.observe(beats, now: .seconds($0)).isEmpty }
  }

  @Test
  func aWorkerWhoseBeatStandsStillIsLostAfterItsTime() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    #expect(look(&watch, [beat(1, 5)], 100...131) == [130, 131])
  }

  @Test
  func aBeatThatMovesStartsTheTimeAnew() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    #expect(look(&watch, [beat(1, 5), beat(2, 7)], 0...28) == [])
    #expect(watch.observe([beat(1, 6), beat(2, 7)], now: .seconds(29)) == [])
    #expect(watch.observe([beat(1, 6), beat(2, 7)], now: .seconds(30)) == [beat(2, 7)])
    #expect(look(&watch, [beat(1, 6)], 31...59) == [59])
  }

  /// A watcher that has just begun gives every worker its full time.
  @Test
  func aNewWatcherBuriesNobody() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    #expect(watch.observe((1...50).map { beat($0, 0) }, now: .seconds(1_000_000)) == [])
  }

  /// The server was away, or this process asleep or cut off, for an hour: nobody could beat, or
  /// nobody could be seen beating; the time from before counts on.
  @Test
  func aWatcherThatWasCutOffBuriesNobodyAtItsReturn() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    let beats = (1...50).map { beat($0, 7) }
    #expect(look(&watch, beats, 0...20) == [])
    #expect(look(&watch, beats, 3_620...3_629) == [])
    #expect(watch.observe(beats, now: .seconds(3_630)) == beats)
  }

  /// Again and again cut off for longer than the gap, it never sees enough to bury anybody.
  @Test
  func looksFarApartCountForNothing() {
    var watch = WorkerWatch(timeToLive: .seconds(30), longestGap: .seconds(10))
    for turn in 0..<100 {
      #expect(watch.observe([beat(1, 5)], now: .seconds(11 * turn)) == [])
    }
    var slow = WorkerWatch(timeToLive: .seconds(30), longestGap: .seconds(10))
    let lost = (0..<5).filter { !slow.observe([beat(1, 5)], now: .seconds(10 * $0)).isEmpty }
    #expect(lost == [3, 4])
  }

  @Test
  func aWorkerThatComesBackIsNew() {
    var watch = WorkerWatch(timeToLive: .seconds(30))
    #expect(look(&watch, [beat(1, 5)], 0...20) == [])
    #expect(watch.observe([], now: .seconds(21)) == [])
    #expect(look(&watch, [beat(1, 5)], 22...51) == [])
    #expect(watch.observe([beat(1, 5)], now: .seconds(52)) == [beat(1, 5)])
  }
}
