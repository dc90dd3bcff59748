internal import FileSystem

/// The times of a bench's runs.
struct Measurement {
  let bench: String
  let input: String
  let threads: Int
  let megapixels: Double?
  private(set) var cpuSeconds: [Double] = []
  private(set) var wallSeconds: [Double] = []
  private(set) var jobs = 0
  private(set) var latencies: [Duration] = []
  /// The largest resident size of the process while the runs went on.
  private(set) var peakBytes: Int64 = 0

  /// Loads the input, runs once to warm up, then `runs` times against the clocks.
  init(_ bench: Bench, _ input: BenchInput, runs: Int) throws {
    self.bench = bench.name
    self.input = input.name
    threads = input.threads
    let prepared = try bench.prepare(input)
    megapixels = prepared.megapixels
    ProcessPeak.reset()
    _ = try prepared.run()
    for _ in 0..<runs {
      let cpuBefore = SystemInformation.processCPUTime
      let wallBefore = SystemInformation.monotonicTime
      let operations = try prepared.run()
      wallSeconds.append((SystemInformation.monotonicTime - wallBefore).seconds)
      cpuSeconds.append((SystemInformation.processCPUTime - cpuBefore).seconds)
      jobs += operations?.jobs ?? 0
      latencies += operations?.latencies ?? []
    }
    peakBytes = SystemInformation.peakResidentBytes
  }

  var runs: Int { cpuSeconds.count }
  var cpuMedian: Double { cpuSeconds.median }
  var wallMedian: Double { wallSeconds.median }
  var megapixelsPerCPUSecond: Double? { megapixels.map { $0 / cpuMedian } }
  /// Of the fastest run, which a busy machine disturbs least.
  var bestMegapixelsPerCPUSecond: Double? {
    megapixels.map { $0 / (cpuSeconds.min() ?? .infinity) }
  }
  var jobsPerSecond: Double? {
    jobs == 0 ? nil : Double(jobs) / wallSeconds.reduce(0, +)
  }

  /// The latency that this share of all requests stayed under, in milliseconds.
  func latencyMilliseconds(share: Double) -> Double? {
    guard !latencies.isEmpty else { return nil }
    let sorted = latencies.sorted()
    let index = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(index, 0), sorted.count - 1)].seconds * 1000
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

extension [Double] {
  /// The middle value, or the mean of the two in the middle; NaN of none.
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
