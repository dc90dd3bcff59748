import Diagnostics
import FileSystem
import JSON
import JobModel
import Reporting
import ServiceRuntime
import Testing

@Suite struct FarmScreenTests {
  private func batch(
    _ id: Int64,
    _ state: BatchState = .open,
    name: String = "delivery",
    done: Int = 52,
    reason: String? = nil
  ) -> BatchStatus {
    BatchStatus(
      Batch(
        id: BatchID(rawValue: id),
        name: name,
        owner: "ann",
        state: state,
        isSealed: true,
        priority: 0,
        total: 100,
        progress: BatchProgress(done: done, failed: 3),
        createdMicroseconds: 0,
        finishedMicroseconds: nil,
        pauseReason: reason,
        pausedBy: reason == nil ? nil : "rawmill"
      ),
      jobsPerSecond: 2.5
    )
  }

  private func worker(_ id: Int64, beat: Double = 1) -> WorkerReport {
    WorkerReport(
      id: WorkerID(rawValue: id),
      host: "host\(id)",
      processID: 1,
      state: .active,
      slots: 4,
      threads: 1,
      version: "1",
      secondsSinceBeat: beat
    )
  }

  private func job(_ id: Int64, worker: Int64) -> RunningJob {
    RunningJob(
      id: JobID(rawValue: id),
      batch: BatchID(rawValue: 7),
      worker: WorkerID(rawValue: worker),
      attempt: 1,
      claimedMicroseconds: 0,
      input: FileLocation(root: "shoot", path: FilePath("day1/picture\(id).dng"))
    )
  }

  private func failure(_ id: Int64, _ message: String = "the file ends early") -> FailureLine {
    FailureLine(
      job: FailedJob(
        id: JobID(rawValue: id),
        input: FileLocation(root: "shoot", path: FilePath("day1/bad\(id)\u{1B}[2J.dng")),
        attempt: 1,
        failure: JobFailure(failureClass: .permanent, code: "truncatedFile", message: message)
      ),
      batch: BatchID(rawValue: 7),
      microseconds: 0
    )
  }

  private func aside(_ host: String, _ root: String?, _ reason: String) -> SetAside {
    SetAside(
      host: host,
      root: root,
      reason: reason,
      actor: "rawmill",
      sinceMicroseconds: 0,
      untilMicroseconds: 661_000_000
    )
  }

  private var farm: FarmSnapshot {
    FarmSnapshot(
      batches: [
        batch(7), batch(8, .paused, reason: "20 transient failures in a row"),
        batch(9, name: "a name that is much longer than there is any room for on a screen"),
      ],
      workers: [worker(1), worker(2, beat: 21)],
      running: [job(1, worker: 1), job(2, worker: 1)],
      setAside: [aside("host2", nil, "its \u{1B}[2Jfan"), aside("host1", "out", "full")],
      failures: [failure(3)],
      microseconds: 61_000_000
    )
  }

  private func lines(_ farm: FarmSnapshot, _ width: Int = 80, _ height: Int = 24) -> [String] {
    FarmScreen.lines(farm, width: width, height: height, notice: "q ends")
  }

  @Test func everythingIsThere() {
    let text = lines(farm).joined(separator: "\n")
    for part in [
      "3 open batches, 2 workers, 2 of 8 slots busy", "7 delivery", "55/100", "3 failed",
      "paused by rawmill: 20 transient failures in a row", "1 host1  active  2/4",
      "picture1.dng 1:01", "2 host2  active  0/4  set aside  no beat for 0:21", "truncatedFile",
      "host host2 is set aside for 10:00 more by rawmill: its ",
      "root out of host host1 is set aside for 10:00 more by rawmill: full", "q ends",
    ] {
      #expect(text.contains(part), "\(part) in\n\(text)")
    }
  }

  /// No line is too wide and none too many, whatever the terminal; no name moves the cursor.
  @Test(arguments: [20, 40, 80, 200], [4, 10, 24, 50])
  func itFits(_ width: Int, _ height: Int) {
    var farm = farm
    farm.workers = (1...30).map { worker($0) }
    farm.batches += (10...60).map { batch($0) }
    farm.failures = (1...20).map { failure($0) }
    let lines = lines(farm, width, height)
    #expect(lines.count <= height)
    #expect(lines.allSatisfy { $0.count < width })
    #expect(lines.last == "q ends")
    #expect(!lines.joined().contains("\u{1B}"))
    if height >= 24 { #expect(lines.joined().contains("and ")) }
  }

  @Test func anEmptyFarmSaysWhatToDo() {
    let text = lines(FarmSnapshot()).joined(separator: "\n")
    #expect(text.contains("none is open"))
    #expect(text.contains("rawmill worker"))
    // Hosts that are set aside are no workers.
    let asides = lines(FarmSnapshot(setAside: farm.setAside)).joined(separator: "\n")
    #expect(asides.contains("rawmill worker"))
    #expect(asides.contains("root out of host host1"))
    #expect(FarmSnapshot().isOver)
  }

  @Test func aBatchIsOverWhenItsJobsAre() {
    #expect(batch(1, done: 97).isOver)
    #expect(batch(1, done: 97).stateText == "finished")
    #expect(!batch(1).isOver)
    #expect(batch(1, .finished).isOver)
    #expect(!batch(1, .cancelled).isOver)
    #expect(batch(1, .cancelled, done: 97).stateText == "cancelled")
    #expect(!FarmSnapshot(batches: [batch(1), batch(2, done: 97)]).isOver)
  }

  @Test func theEventHasEverything() throws {
    let json = JSONValue.object(farm.json)
    #expect(json["batches"]?.arrayValue?.count == 3)
    #expect(json["batches"]?[1]?["pauseReason"]?.stringValue == "20 transient failures in a row")
    #expect(json["workers"]?[0]?["running"]?.arrayValue?.count == 2)
    #expect(json["setAside"]?[0]?["host"]?.stringValue == "host2")
    #expect(json["setAside"]?[1]?["root"]?.stringValue == "out")
    #expect(json["failures"]?[0]?["code"]?.stringValue == "truncatedFile")
  }
}
