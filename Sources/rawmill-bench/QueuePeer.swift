internal import FileSystem
internal import JSON
internal import PostgresClient

/// What another queue in PostgreSQL reached in the work of one of the queue's benches.
struct QueuePeer {
  let peer: String
  let bench: String
  let jobsPerSecond: Double
  let json: JSONValue

  /// Runs `Tests/Oracles/queue_peers.py` on a server like the one that the benches used.
  static func run(
    beside benches: [Bench],
    runs: Int,
    jobs: Int,
    scratch: FilePath
  ) throws -> [QueuePeer] {
    let fixture = try QueueFixture()
    // The server goes with its last reference.
    defer { withExtendedLifetime(fixture) {} }
    let objects = try PeerProgram.run(
      "queue_peers.py",
      [
        Array((fixture.address.connectionInfo ?? "").utf8), Array("\(runs)".utf8),
        Array("\(jobs)".utf8), Array(benches.map(\.name).joined(separator: ",").utf8),
      ],
      scratch: scratch
    )
    return try objects.map { json in
      guard let peer = json["peer"]?.stringValue, let bench = json["bench"]?.stringValue,
        let rate = json["jobsPerSecond"]?.doubleValue
      else { throw BenchError.peers("the peers printed something else than measurements") }
      return QueuePeer(peer: peer, bench: bench, jobsPerSecond: rate, json: json)
    }
  }

  var line: String { "  \(peer.padded(to: 44))  \(bench)  \(jobsPerSecond.fixed(0)) jobs/s" }

  /// How many times as fast a bench of ours is.
  func ratio(_ ours: Measurement) -> Double? { ours.jobsPerSecond.map { $0 / jobsPerSecond } }
}
