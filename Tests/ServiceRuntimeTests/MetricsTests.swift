import FileSystem
import JSON
import ServiceRuntime
import TestSupport
import Testing

@Suite struct MetricsTests {
  /// Everything that an exposition can hold.
  private static func registry() -> MetricRegistry {
    let registry = MetricRegistry()
    registry.counter("jobs_total", "Jobs.", labels: ["outcome"]).add(3, "done")
    let escapes = registry.gauge("escapes", "A \\ and\na line.", labels: ["a", "b"])
    escapes.set(-1.5, "\"quoted\" \\ \n{}=,", "ü")
    escapes.set(.nan, "", "")
    escapes.set(.infinity, "x", "y")
    let seconds = registry.histogram("seconds", "Time.", labels: ["stage"], bounds: [0.5, 1, 2.5])
    for value in [0.1, 0.5, 0.75, 2.5, 2.6, 100] { seconds.observe(value, "decode") }
    seconds.observe(1e-9, "publish")
    _ = registry.gauge("nothing", "Has no series.")
    return registry
  }

  @Test func theTextIsExactlyThis() {
    let registry = MetricRegistry()
    registry.counter("b_total", "Second.", labels: ["l"]).add(2, "x\"")
    registry.histogram("a_seconds", "First.", bounds: [0.5]).observe(0.25)
    #expect(
      registry.exposition() == """
        # HELP b_total Second.
        # TYPE b_total counter
        b_total{l="x\\""} 2
        # HELP a_seconds First.
        # TYPE a_seconds histogram
        a_seconds_bucket{le="0.5"} 1
        a_seconds_bucket{le="+Inf"} 1
        a_seconds_sum 0.25
        a_seconds_count 1

        """
    )
  }

  @Test func aReaderOfItsOwnReadsItBack() throws {
    let text = Self.registry().exposition()
    let read = try Exposition(text)
    #expect(read.kinds == ["jobs_total": "counter", "escapes": "gauge", "seconds": "histogram"])
    #expect(read.value("jobs_total", ["outcome": "done"]) == 3)
    #expect(read.value("escapes", ["a": "\"quoted\" \\ \n{}=,", "b": "ü"]) == -1.5)
    #expect(read.value("escapes", ["a": "", "b": ""])?.isNaN == true)
    #expect(read.value("escapes", ["a": "x", "b": "y"]) == .infinity)
    for (bound, count) in [("0.5", 2.0), ("1", 3), ("2.5", 4), ("+Inf", 6)] {
      #expect(read.value("seconds_bucket", ["stage": "decode", "le": bound]) == count)
    }
    #expect(read.value("seconds_count", ["stage": "decode"]) == 6)
    #expect(read.value("seconds_sum", ["stage": "publish"]) == 1e-9)
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func prometheusOwnParserReadsTheSame() throws {
    let text = Self.registry().exposition()
    let folder = try TemporaryDirectory()
    try folder.write(Array(text.utf8), to: "metrics.txt")
    let output = try OraclePython.run(
      "exposition.py",
      arguments: [folder.path("metrics.txt").displayText]
    )
    let theirs = try JSONParser.parse(output)
    let ours = try Exposition(text)
    #expect(theirs["kinds"]?.objectValue?.count == ours.kinds.count)
    for (name, kind) in ours.kinds {
      // Their parser takes a counter's _total off its family's name.
      let family = kind == "counter" ? String(name.dropLast("_total".count)) : name
      #expect(theirs["kinds"]?[family]?.stringValue == kind)
    }
    let samples = try theirs.requireArray("samples")
    #expect(samples.count == ours.samples.count)
    for sample in samples {
      var labels: [String: String] = [:]
      for (key, value) in sample["labels"]?.objectValue ?? [] { labels[key] = value.stringValue }
      let value = try #require(ours.value(try sample.requireString("name"), labels))
      #expect("\(value)" == (try sample.requireString("value")))
    }
  }

  @Test func labelValuesAreBounded() throws {
    let registry = MetricRegistry()
    let family = registry.counter("codes_total", "Codes.", labels: ["code"])
    for number in 0..<(MetricFamily.seriesLimit + 100) { family.add(1, "code\(number)") }
    let read = try Exposition(registry.exposition())
    #expect(read.samples.count == MetricFamily.seriesLimit + 1)
    #expect(read.value("codes_total", ["code": "other"]) == 100)
    #expect(read.samples.reduce(0) { $0 + $1.value } == Double(MetricFamily.seriesLimit + 100))
  }

  @Test func collectorsRunBeforeEachExposition() throws {
    let registry = MetricRegistry()
    let scrapes = registry.counter("scrapes_total", "Scrapes.")
    registry.beforeExposition { scrapes.add() }
    _ = registry.exposition()
    #expect(try Exposition(registry.exposition()).value("scrapes_total") == 2)
  }

  @Test func countingFromManyThreadsLosesNothing() async throws {
    let registry = MetricRegistry()
    let family = registry.counter("n_total", "N.", labels: ["l"])
    await withTaskGroup { group in
      for lane in 0..<8 {
        group.addTask {
          for _ in 0..<1_000 { family.add(1, "\(lane % 2)") }
        }
      }
    }
    let read = try Exposition(registry.exposition())
    #expect(read.value("n_total", ["l": "0"]) == 4_000)
    #expect(read.value("n_total", ["l": "1"]) == 4_000)
  }
}
