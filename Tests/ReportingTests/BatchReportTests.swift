import Diagnostics
import Digest
import FileSystem
import JSON
import JobModel
import Reporting
import Testing

@Suite struct BatchReportTests {
  private let hostile = "<img src=x onerror=alert(1)>&\"'|`\u{1B}[2J"

  private var batch: Batch {
    Batch(
      id: BatchID(rawValue: 7),
      name: "a <b> & c",
      owner: "ann",
      state: .finished,
      isSealed: true,
      priority: 0,
      total: 40,
      progress: BatchProgress(
        done: 39,
        failed: 1,
        pixels: 39_000_000,
        inputBytes: 39_000,
        outputBytes: 9_750
      ),
      createdMicroseconds: 0,
      finishedMicroseconds: 90_000_000
    )
  }

  private func job(_ id: Int64, seconds: Double, host: String = "h") -> ReportedJob {
    ReportedJob(
      id: JobID(rawValue: id),
      input: InputFile(
        location: FileLocation(root: "shoot", path: FilePath("\(id).dng")),
        size: 1_000,
        modificationNanoseconds: 0
      ),
      outcome: .done,
      attempt: 1,
      recipe: SHA256.digest(of: [1]),
      making: ReportedJob.Making(
        host: host,
        seconds: seconds,
        pixels: 1_000_000,
        peakMemoryBytes: 5_000_000,
        engineVersion: "1.0",
        sourceRevision: "abc",
        pixelVersion: 3
      ),
      outputBytes: 250
    )
  }

  private var failed: FailedJob {
    FailedJob(
      id: JobID(rawValue: 40),
      input: FileLocation(root: "shoot", path: FilePath(hostile)),
      attempt: 2,
      failure: JobFailure(failureClass: .permanent, code: "truncated", message: hostile)
    )
  }

  private var report: BatchReport {
    var report = BatchReport(batch)
    for id in 1...39 { report.add(job(Int64(id), seconds: Double(id) / 10)) }
    report.failures = [
      BatchReport.Failures(
        group: FailureGroup(code: "truncated", failureClass: .permanent, count: 3),
        jobs: [failed]
      )
    ]
    return report
  }

  @Test func sumsAreThoseOfTheJobs() {
    let report = report
    #expect(report.seconds.count == 39)
    #expect(report.seconds.minimum == 0.1)
    #expect(report.seconds.maximum == 3.9)
    #expect(report.slowest.map(\.id.rawValue) == Array((30...39).reversed()))
    #expect(report.hosts["h"]?.jobs == 39)
    #expect(report.engines.values.reduce(0, +) == 39)
    #expect(report.inputSizes.sum == 39_000)
    #expect(report.elapsedSeconds(now: 0) == 90)
  }

  @Test func binsAreHalfOpenAndHoldEverything() {
    var distribution = Distribution()
    for value in [0, 0.1, 0.19, 0.2, 0.5, 1, 1.5, 5, .nan, .infinity] { distribution.add(value) }
    #expect(distribution.count == 8)
    #expect(distribution.bins.map(\.count).reduce(0, +) == 8)
    #expect(distribution.bins.first { abs($0.low - 0.1) < 1e-12 }?.count == 2)
    #expect(distribution.bins.last?.low == 5)
    #expect(Distribution().bins.isEmpty)
    #expect(Distribution().mean == nil)
  }

  /// The report of a batch with a recipe for each picture and a host for each job stays small.
  @Test func theReportDoesNotGrowWithTheBatch() {
    var report = BatchReport(batch)
    for id in 1...5_000 { report.add(job(Int64(id), seconds: 1, host: "host\(id)")) }
    #expect(report.hosts.count == 50)
    #expect(report.others == 4_950)
    #expect(report.slowest.count == 10)
    #expect(report.html(now: 0).utf8.count < 40_000)
  }

  @Test func htmlEscapesEverything() {
    let html = report.html(now: 0, plots: [("<plot>", "<svg></svg>")])
    #expect(html.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;|"))
    #expect(html.contains("a &lt;b&gt; &amp; c"))
    #expect(html.contains("<h2>&lt;plot&gt;</h2><svg></svg>"))
    for bad in ["<img", "<b>", "\u{1B}", "<script"] { #expect(!html.contains(bad), "\(bad)") }
    #expect(html.contains("and 2 more"))
    for part in ["<rect", "(25.0 %)", "pixel version 3: 39 jobs", "default-src 'none'"] {
      #expect(html.contains(part), "\(part)")
    }
  }

  @Test func picturesStandInThePage() {
    let html = report.html(
      now: 0,
      pictures: [
        ReportPicture(name: hostile, content: .jpeg(base64: "/9j/AA==", width: 240, height: 160)),
        ReportPicture(name: "b.dng", content: .missing(hostile)),
        ReportPicture(
          name: "c.dng",
          failure: "trunc<ated",
          content: .jpeg(base64: "/9j/BB==", width: 20, height: 10)
        ),
      ]
    )
    for part in [
      "<img src=\"data:image/jpeg;base64,/9j/AA==\" width=\"240\" height=\"160\" alt=\"&lt;img",
      "<li><bdi>b.dng</bdi>: &lt;img src=x onerror=alert(1)&gt;", "img-src data:",
      "<h2>Previews of failed inputs</h2>", "<bdi>c.dng</bdi><br>trunc&lt;ated",
    ] {
      #expect(html.contains(part), "\(part)")
    }
    #expect(html.split(separator: "<img ").count == 3)
    #expect(!html.contains("\u{1B}"))
  }

  /// Evenly, in order, with the first, however long the sequence is; not more is kept.
  @Test(arguments: [0, 1, 2, 3, 16], [0, 1, 2, 15, 16, 17, 33, 100, 1_000, 12_345])
  func aSpreadIsEven(_ count: Int, _ length: Int) {
    var spread = Spread<Int>(count: count)
    for element in 0..<length { spread.add(element) }
    let elements = spread.elements
    #expect(elements.count == min(count, length))
    #expect(elements == elements.sorted() && Set(elements).count == elements.count)
    guard count > 1, length > count else { return }
    #expect(elements[0] == 0)
    // The last one kept is at most one step from the end, and steps differ by one of those kept.
    let steps = zip(elements, elements.dropFirst()).map { $1 - $0 }
    let even = Double(length) / Double(count - 1)
    #expect(steps.allSatisfy { Double($0) <= 2 * even && $0 > 0 })
    #expect(Double(elements[count - 1]) >= Double(length) - 1 - even)
  }

  @Test func markdownEscapesEverything() {
    let text = report.markdown(now: 0)
    #expect(text.contains("\\<img src=x onerror=alert\\(1\\)\\>\\&\"'\\|\\`"))
    #expect(text.contains("| Done | 39 |"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func csvQuotesAndDefusesFormulas() {
    var job = job(1, seconds: 0.25)
    let line = ReportCSV.line(job)
    #expect(
      line.hasPrefix("1,shoot:1.dng,done,1,h,0.250,1000000,1000,250,5000000,"),
      "\(line)"
    )
    #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == 16)
    #expect(ReportCSV.header.split(separator: ",").count == 16)
    job.failure = JobFailure(failureClass: .permanent, code: "c", message: "=1+1,\"x\"")
    #expect(ReportCSV.line(job).hasSuffix(",c,\"'=1+1,\"\"x\"\"\"\r\n"), "\(ReportCSV.line(job))")
  }

  @Test func jsonHasEverything() {
    let json = report.json(now: 0)
    #expect(json["seconds"]?["count"]?.integerValue == 39)
    #expect(json["failures"]?[0]?["jobs"]?[0]?["message"]?.stringValue == hostile)
    #expect(json["slowest"]?.arrayValue?.count == 10)
    #expect(json["batch"]?["done"]?.integerValue == 39)
  }
}
