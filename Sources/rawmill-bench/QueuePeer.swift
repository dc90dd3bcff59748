internal import FileSystem
internal import JSON
internal import PostgresClient
internal import ProcessControl

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
    guard let interpreter = SystemInformation.environment("RAWMILL_ORACLE_PYTHON") else {
      throw BenchError.peers("no peers: set RAWMILL_ORACLE_PYTHON to their Python interpreter")
    }
    let fixture = try QueueFixture()
    let script = FilePath(#filePath).parent.parent.parent.appending("Tests/Oracles/queue_peers.py")
    let file = try FileDescriptor.open(
      scratch.appending("queue-peers"),
      .readWriteExclusively(permissions: 0o600)
    )
    var launch = ProgramLaunch(
      FilePath(interpreter),
      arguments: [
        script.bytes, Array((fixture.address.connectionInfo ?? "").utf8), Array("\(runs)".utf8),
        Array("\(jobs)".utf8), Array(benches.map(\.name).joined(separator: ",").utf8),
      ]
    )
    launch.descriptors = [nil, file.rawValue, 2]
    launch.diesWithParent = true
    let running = try RunningProgram.start(launch)
    let exit = running.wait()
    guard exit.isSuccess else { throw BenchError.peers("the peers failed: \(exit.reason)") }
    let lines = try file.readAll(limit: 1 << 24).split(separator: UInt8(ascii: "\n"))
    return try lines.map { line in
      let json = try JSONParser.parse(Array(line))
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
