internal import JSON

extension Measurement {
  /// The machine-readable form; members that don't apply are left out.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("name", .string(bench)),
      ("input", .string(input)),
      ("threads", JSONValue(threads)),
      ("runs", JSONValue(runs)),
    ]
    func add(_ key: String, _ value: Double?) {
      if let value { members.append((key, JSONValue(value))) }
    }
    add("megapixels", megapixels)
    add("cpuSecondsMedian", cpuMedian)
    add("cpuSecondsBest", cpuSeconds.min())
    add("wallSecondsMedian", wallMedian)
    add("megapixelsPerCPUSecond", megapixelsPerCPUSecond)
    add("jobsPerSecond", jobsPerSecond)
    add("p50Milliseconds", latencyMilliseconds(share: 0.50))
    add("p99Milliseconds", latencyMilliseconds(share: 0.99))
    members.append(("peakBytes", JSONValue(peakBytes)))
    return .object(members)
  }

  /// One line for people.
  var line: String {
    var parts = [bench.padded(to: 26)]
    if let speed = megapixelsPerCPUSecond, let best = bestMegapixelsPerCPUSecond {
      parts.append("\(speed.fixed(1)) MP per CPU second (best \(best.fixed(1)))")
    }
    if let jobsPerSecond { parts.append("\(jobsPerSecond.fixed(0)) jobs/s") }
    if let p50 = latencyMilliseconds(share: 0.5), let p99 = latencyMilliseconds(share: 0.99) {
      parts.append("p50 \(p50.fixed(2)) ms, p99 \(p99.fixed(2)) ms")
    }
    parts.append("CPU \((cpuMedian * 1000).fixed(1)) ms, wall \((wallMedian * 1000).fixed(1)) ms")
    parts.append("peak \(peakBytes >> 20) MiB")
    return parts.joined(separator: "  ")
  }
}

extension Double {
  /// The number with a fixed count of decimal places.
  func fixed(_ places: Int) -> String {
    guard isFinite else { return "\(self)" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (abs(self) * scale).rounded()
    guard scaled < 1e15 else { return "\(self)" }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
    return self < 0 && scaled > 0 ? "-" + text : text
  }
}

extension String {
  /// The text with spaces to at least `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
