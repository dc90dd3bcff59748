internal import JSON

/// How many times faster a bench is than a peer, by CPU seconds.
struct PeerRatio {
  let bench: String
  let peer: String
  let ratio: Double

  init(ours: Measurement, peer: PeerMeasurement) {
    bench = ours.bench
    self.peer = peer.peer
    ratio = peer.cpuMedian / ours.cpuMedian
  }

  var json: JSONValue {
    ["name": .string(bench), "peer": .string(peer), "ratio": JSONValue(ratio)]
  }

  var line: String { "    \(bench) is \(ratio.fixed(2)) times as fast" }
}
