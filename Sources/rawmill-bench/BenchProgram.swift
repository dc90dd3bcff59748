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
      let peers = try PeerMeasurement.run(
        on: input,
        beside: options.benches,
        runs: options.runs
      )
      for peer in peers {
        report(options.isJSON ? peer.json.text() : peer.line)
        for measurement in measurements where measurement.bench == peer.bench {
          let ratio = PeerRatio(ours: measurement, peer: peer)
          report(options.isJSON ? ratio.json.text() : ratio.line)
        }
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
