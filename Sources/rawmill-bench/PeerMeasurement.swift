internal import FileSystem
internal import JSON

/// What another program took for the work of one of the benches.
struct PeerMeasurement {
  /// The program, its version and how it was called.
  let peer: String
  /// The bench whose work it did.
  let bench: String
  let megapixels: Double
  let cpuMedian: Double

  var megapixelsPerCPUSecond: Double { megapixels / cpuMedian }

  /// Runs `Tests/Oracles/peers.py`.
  ///
  /// - Throws: `BenchError.peers` where there is none or where it fails.
  static func run(
    on input: BenchInput,
    beside benches: [Bench],
    runs: Int
  ) throws -> [PeerMeasurement] {
    try PeerProgram.run(
      "peers.py",
      [
        input.path.bytes, Array("\(runs)".utf8), Array("\(input.threads)".utf8),
        input.scratch.bytes, Array(benches.map(\.name).joined(separator: ",").utf8),
      ],
      scratch: input.scratch
    )
    .map { try PeerMeasurement($0) }
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
