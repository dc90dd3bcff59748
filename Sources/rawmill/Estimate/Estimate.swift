internal import Discovery
internal import FileSystem
internal import JSON
internal import ServiceRuntime

/// Totals reckoned from some files: what is in proportion to the input's bytes.
///
/// The ratio estimator of survey sampling (Cochran, Sampling Techniques, 6.2 to 6.4): total = inputs ·
/// Σy / Σx, with the variance of the residuals y - r x and the correction for a finite population.
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

  /// A total with half the width of its 95 % range.
  struct Total: Equatable {
    var value: Double
    var margin: Double
  }

  var outputBytes: Total { total { Double($0.outputBytes) } }
  var cpuSeconds: Total { total { $0.cpu / .seconds(1) } }

  private func total(_ value: (EstimateSample) -> Double) -> Total {
    let x = samples.map { Double($0.inputBytes) }
    let y = samples.map(value)
    let sum = x.reduce(0, +)
    guard sum > 0 else { return Total(value: 0, margin: 0) }
    let ratio = y.reduce(0, +) / sum
    let count = Double(samples.count)
    var margin = 0.0
    if samples.count > 1 {
      let squares = zip(x, y).reduce(0) { $0 + ($1.1 - ratio * $1.0) * ($1.1 - ratio * $1.0) }
      let fraction = min(1, count / Double(fileCount))
      let variance = (1 - fraction) * squares / (count - 1) / count
      margin = 1.96 * variance.squareRoot() * Double(fileCount)
    }
    return Total(value: ratio * Double(inputBytes), margin: margin)
  }

  var lines: [String] {
    guard hasSamples else { return ["none of the chosen files could be rendered"] }
    let output = outputBytes
    let cpu = cpuSeconds
    let saved = Double(inputBytes) - output.value
    var lines = [
      "\(Quantity.count(fileCount, "raw")), \(Quantity.bytes(inputBytes)); rendered \(samples.count)"
        + (failures > 0 ? ", \(failures) failed" : ""),
      "outputs    \(bytes(output.value)) ± \(bytes(output.margin))",
      (saved >= 0 ? "saves      " : "costs      ")
        + "\(bytes(abs(saved))), \(percent(abs(saved) / Double(max(1, inputBytes)))) of the inputs",
      "CPU time   \(hours(cpu.value)) ± \(hours(cpu.margin))",
    ]
    if failures > 0 { lines.append("files that fail are reckoned as if they did not") }
    return lines
  }

  var json: [(key: String, value: JSONValue)] {
    let output = outputBytes
    let cpu = cpuSeconds
    return [
      ("files", .init(fileCount)), ("inputBytes", .init(inputBytes)),
      ("samples", .init(samples.count)), ("failed", .init(failures)),
      ("outputBytes", .init(output.value)), ("outputBytesMargin", .init(output.margin)),
      ("savedBytes", .init(Double(inputBytes) - output.value)),
      ("cpuSeconds", .init(cpu.value)), ("cpuSecondsMargin", .init(cpu.margin)),
    ]
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
