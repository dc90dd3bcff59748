internal import FileSystem
internal import JSON
internal import ProcessControl

/// What another program took for the work of one of the benches.
struct PeerMeasurement {
  /// The program, its version and how it was called.
  let peer: String
  /// The bench whose work it did.
  let bench: String
  let megapixels: Double
  let cpuMedian: Double

  var megapixelsPerCPUSecond: Double { megapixels / cpuMedian }

  /// Runs `Tests/Oracles/peers.py` with the interpreter of RAWMILL_ORACLE_PYTHON.
  ///
  /// - Throws: `BenchError.peers` where there is none or where it fails.
  static func run(
    on input: BenchInput,
    beside benches: [Bench],
    runs: Int
  ) throws -> [PeerMeasurement] {
    guard let interpreter = SystemInformation.environment("RAWMILL_ORACLE_PYTHON") else {
      throw BenchError.peers("no peers: set RAWMILL_ORACLE_PYTHON to their Python interpreter")
    }
    let script = FilePath(#filePath).parent.parent.parent.appending("Tests/Oracles/peers.py")
    let output = input.scratch.appending("peers")
    let file = try FileDescriptor.open(output, .readWriteExclusively(permissions: 0o600))
    var launch = ProgramLaunch(
      FilePath(interpreter),
      arguments: [
        script.bytes, input.path.bytes, Array("\(runs)".utf8), Array("\(input.threads)".utf8),
        input.scratch.bytes,
        Array(benches.map(\.name).joined(separator: ",").utf8),
      ]
    )
    launch.descriptors = [nil, file.rawValue, 2]
    launch.diesWithParent = true
    let running = try RunningProgram.start(launch)
    let exit = running.wait()
    guard exit.isSuccess else { throw BenchError.peers("the peers failed: \(exit.reason)") }
    let lines = try file.readAll(limit: 1 << 24).split(separator: UInt8(ascii: "\n"))
    return try lines.map { try PeerMeasurement(JSONParser.parse(Array($0))) }
  }

  private init(_ json: JSONValue) throws {
    guard
      let peer = json["peer"]?.stringValue, let bench = json["bench"]?.stringValue,
      let megapixels = json["megapixels"]?.doubleValue,
      let cpuMedian = json["cpuSecondsMedian"]?.doubleValue
    else {
      throw BenchError.peers("the peers printed something else than measurements")
    }
    self.peer = peer
    self.bench = bench
    self.megapixels = megapixels
    self.cpuMedian = cpuMedian
  }

  var json: JSONValue {
    [
      "peer": .string(peer), "name": .string(bench), "megapixels": JSONValue(megapixels),
      "cpuSecondsMedian": JSONValue(cpuMedian),
      "megapixelsPerCPUSecond": JSONValue(megapixelsPerCPUSecond),
    ]
  }

  var line: String {
    "  \(peer.padded(to: 44))  \(megapixelsPerCPUSecond.fixed(1)) MP per CPU second"
  }
}
