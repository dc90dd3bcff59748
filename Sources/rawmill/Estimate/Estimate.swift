internal import Discovery
internal import FileSystem
internal import JSON
internal import Reporting
internal import ServiceRuntime

/// Totals reckoned from some files: what is in proportion to the input's bytes.
struct Estimate {
  private let fileCount: Int
  private let inputBytes: Int64
  private var samples: [EstimateSample] = []
  private var failures = 0

  init(files: [FoundFile]) {
    fileCount = files.count
    inputBytes = files.reduce(0) { $0 + $1.status.size }
  }

  mutating func add(_ sample: EstimateSample) { samples.append(sample) }
  mutating func addFailure() { failures += 1 }

  var hasSamples: Bool { !samples.isEmpty }

  private var outputBytes: RatioEstimate { total { Double($0.outputBytes) } }
  private var cpuSeconds: RatioEstimate { total { $0.cpu / .seconds(1) } }

  private func total(_ value: (EstimateSample) -> Double) -> RatioEstimate {
    RatioEstimate(
      samples.map { (Double($0.inputBytes), value($0)) },
      population: fileCount,
      known: Double(inputBytes)
    )
  }

  var lines: [String] {
    guard hasSamples else { return ["none of the chosen files could be rendered"] }
    let output = outputBytes
    let saved = Double(inputBytes) - output.value
    var lines = [
      "\(Quantity.count(fileCount, "raw")), \(Quantity.bytes(inputBytes)); rendered \(samples.count)"
        + (failures > 0 ? ", \(failures) failed" : ""),
      "outputs    \(range(output, bytes))",
      (saved >= 0 ? "saves      " : "costs      ")
        + "\(bytes(abs(saved))), \(percent(abs(saved) / Double(max(1, inputBytes)))) of the inputs",
      "CPU time   \(range(cpuSeconds, hours))",
    ]
    if output.margin == nil {
      lines.append(
        "no range: it takes \(RatioEstimate.leastSamples) rendered files to tell how they differ"
      )
    }
    if failures > 0 { lines.append("files that fail are reckoned as if they did not") }
    return lines
  }

  var json: [(key: String, value: JSONValue)] {
    let output = outputBytes
    let cpu = cpuSeconds
    return [
      ("files", .init(fileCount)), ("inputBytes", .init(inputBytes)),
      ("samples", .init(samples.count)), ("failed", .init(failures)),
      ("outputBytes", .init(output.value)),
      ("outputBytesMargin", output.margin.map { .init($0) } ?? .null),
      ("savedBytes", .init(Double(inputBytes) - output.value)),
      ("cpuSeconds", .init(cpu.value)),
      ("cpuSecondsMargin", cpu.margin.map { .init($0) } ?? .null),
    ]
  }

  private func range(_ total: RatioEstimate, _ text: (Double) -> String) -> String {
    text(total.value) + (total.margin.map { " ± \(text($0))" } ?? "")
  }
  private func bytes(_ value: Double) -> String { Quantity.bytes(Int64(value)) }
  private func percent(_ value: Double) -> String {
    "\(Quantity.fixed(100 * value, decimals: 1)) %"
  }
  private func hours(_ seconds: Double) -> String {
    seconds < 600
      ? "\(Quantity.rate(seconds)) s" : "\(Quantity.fixed(seconds / 3_600, decimals: 1)) h"
  }
}
