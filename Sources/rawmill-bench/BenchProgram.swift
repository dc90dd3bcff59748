internal import FileSystem
internal import Glibc
internal import JSON

/// The run of `rawmill-bench` after its command line is read.
enum BenchProgram {
  static func run(_ options: BenchOptions) throws {
    let scratch = try makeScratchFolder()
    defer { try? scratch.removeTree() }
    let input = try BenchInput(options, scratch: scratch)
    var measurements: [Measurement] = []
    for bench in options.benches {
      let measurement = try Measurement(bench, input, runs: options.runs)
      measurements.append(measurement)
      report(options.isJSON ? measurement.json.text() : measurement.line)
    }
    if options.comparesPeers {
      let ofPixels = options.benches.filter(\.readsRaw)
      if !ofPixels.isEmpty { try comparePixels(input, ofPixels, measurements, options) }
      let ofQueue = options.benches.filter { !$0.readsRaw }
      if !ofQueue.isEmpty { try compareQueues(ofQueue, measurements, options, scratch) }
    }
  }

  private static func comparePixels(
    _ input: BenchInput,
    _ benches: [Bench],
    _ measurements: [Measurement],
    _ options: BenchOptions
  ) throws {
    for peer in try PeerMeasurement.run(on: input, beside: benches, runs: options.runs) {
      report(options.isJSON ? peer.json.text() : peer.line)
      for measurement in measurements where measurement.bench == peer.bench {
        let ratio = PeerRatio(ours: measurement, peer: peer)
        report(options.isJSON ? ratio.json.text() : ratio.line)
      }
    }
  }

  private static func compareQueues(
    _ benches: [Bench],
    _ measurements: [Measurement],
    _ options: BenchOptions,
    _ scratch: FilePath
  ) throws {
    let peers = try QueuePeer.run(
      beside: benches,
      runs: options.runs,
      jobs: options.jobs,
      scratch: scratch
    )
    for peer in peers {
      report(options.isJSON ? peer.json.text() : peer.line)
      for measurement in measurements where measurement.bench == peer.bench {
        guard let ratio = peer.ratio(measurement) else { continue }
        let json: JSONValue = [
          "name": .string(peer.bench), "peer": .string(peer.peer), "ratio": JSONValue(ratio),
        ]
        report(
          options.isJSON
            ? json.text() : "    \(peer.bench) does \(ratio.fixed(2)) times as many jobs"
        )
      }
    }
  }

  static func reportFailure(_ text: String) {
    let bytes = Array("rawmill-bench: \(text)\n".utf8)
    // The buffer is the array's for the length of the call.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Prints a line at once, also into a pipe: a long comparison can be watched.
  private static func report(_ line: String) {
    print(line)
    fflush(nil)
  }

  private static func makeScratchFolder() throws -> FilePath {
    let base = FilePath(SystemInformation.environment("TMPDIR") ?? "/tmp")
    let clock = SystemInformation.wallClockNanoseconds
    let name = "rawmill-bench-\(SystemInformation.processID)-\(clock)"
    let folder = try base.resolved().appending(FilePath(name))
    try folder.createDirectory(permissions: 0o700)
    return folder
  }
}
