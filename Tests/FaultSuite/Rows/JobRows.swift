internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import ProcessControl

extension FaultRow {
  /// Jobs that harm their workers, and jobs that come twice.
  static let jobRows = [
    FaultRow(
      number: 12,
      name: "poison",
      summary:
        "pictures whose child aborts, faults, takes all memory, or never ends; others beside them"
    ) { bench in
      let farm = try Farm(bench, "poison")
      farm.wallLimit = .seconds(2)
      farm.workerEnvironment = ["RAWMILL_POISON": "poison"]
      try farm.countCrashes()
      var folders = [try farm.makeInputs(bench.isLong ? 120 : 30)]
      for (kind, codes) in [
        ("abort", ["childCrashed"]), ("segv", ["childCrashed"]), ("loop", ["wallLimitExceeded"]),
        ("memory", ["childCrashed", "outOfMemory", "ENOMEM"]),
      ] {
        _ = farm.recorder.inject("poison", kind, recovers: false)
        folders.append(try farm.makeInputs(1, prefix: "poison-\(kind)-", expected: .failed(codes)))
      }
      try farm.rawmill(farm.submission(folders))
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      try farm.finish(limit: .seconds(120))
      guard try farm.number("SELECT max(crashes)::bigint FROM job") == 3 else {
        throw SuiteError.broken("a job that kills its child was not given up after three times")
      }
      return farm
    },
    FaultRow(
      number: 13,
      name: "submitters",
      summary: "the same pictures submitted by several at once, and by one that is killed half-way"
    ) { bench in
      let farm = try Farm(bench, "submitters")
      let folder = try farm.makeInputs(bench.isLong ? 3_000 : 400)
      for index in 0..<(bench.isLong ? 8 : 3) {
        let killed = try farm.startRawmill(farm.submission([folder]))
        Wait.pause(.milliseconds(60 + 90 * index))
        _ = farm.recorder.inject("kill", "a submitter", recovers: false)
        _ = killed.kill()
      }
      // Batches whose submission was broken off stay open for those who come again; they are ended by hand.
      var together: [SubmitterRun] = []
      for _ in 0..<4 { together.append(try SubmitterRun(farm, folder)) }
      for run in together { try run.wait() }
      try farm.submit(folder)
      guard try farm.number("SELECT count(*) FROM job") == (bench.isLong ? 3_000 : 400) else {
        throw SuiteError.broken("the pictures are not jobs once each")
      }
      try farm.execute("UPDATE batch SET sealed = true WHERE NOT sealed")
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      try farm.finish(limit: .seconds(bench.isLong ? 400 : 120))
      return farm
    },
  ]
}

/// A submitter beside others.
private final class SubmitterRun {
  private var running: RunningProgram?

  init(_ farm: Farm, _ folder: FilePath) throws {
    let program = try farm.startRawmill(farm.submission([folder]))
    running = consume program
  }

  func wait() throws {
    guard let program = running.take() else { return }
    let exit = program.wait()
    guard exit.isSuccess else { throw SuiteError.broken("a submitter ended with \(exit.reason)") }
  }
}
