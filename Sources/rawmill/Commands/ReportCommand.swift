internal import Diagnostics
internal import FileSystem
internal import HistogramPlot
internal import JSON
internal import JobModel
internal import JobStore
internal import Reporting
internal import ServiceRuntime

/// `rawmill report`: what a batch came to.
enum ReportCommand: Command {
  enum Format: String, CaseIterable, Sendable {
    case markdown
    case csv
    case json
    case html
  }

  static let format = Option<Format>(
    "--format",
    "format",
    .choice,
    "markdown, if absent; csv, a line for each job; json; html, one page that needs nothing else."
  )
  static let pictures = Option(
    "--pictures",
    "n",
    .integer(0...200),
    "Small pictures on the page of html: 24 if absent; 0 reads no picture."
  )

  /// Names for each code of failures: a page of a million names helps nobody.
  private static let failureLimit = 200

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("report", "Report what a batch came to: times, sizes, failures, hosts.")
      .option(format).option(pictures).option(CommonOptions.root).option(CommonOptions.database)
      .discussion(
        """
        The page of --format html shows pictures of up to 240 pixels and 24 kB each: two thirds of them \
        done jobs spread over the batch, by their outputs, a third failed ones, by the previews in their \
        inputs. Files that are missing here, were changed or have more than 256 MB are named instead, and \
        so is what is not there after 10 seconds; --root says where roots are.
        """
      )
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let id = try SteeringOptions.batch(arguments)
    let format = arguments[format] ?? .markdown
    let roots = try RootOptions.map(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let output = program.standardOutput
    let batch = try wrappingQueue { () throws(JobStoreError) in try store.batch(id) }
    if format == .csv {
      output.write(ReportCSV.header)
      try eachJob(of: id, store) { jobs in
        output.write(jobs.map { ReportCSV.line($0) }.joined())
        return !output.hasFailed
      }
      return .success
    }
    let pictureCount = format == .html ? arguments[pictures] ?? 24 : 0
    let failedCount = pictureCount / 3
    var report = BatchReport(batch, pictureCount: pictureCount - failedCount)
    try eachJob(of: id, store) { jobs in
      for job in jobs { report.add(job) }
      return true
    }
    report.failures = try failures(of: id, store)
    let now = SystemInformation.wallClockNanoseconds / 1_000
    switch format {
    case .csv: break
    case .markdown: output.write(report.markdown(now: now))
    case .json: output.writeLine(report.json(now: now).text())
    case .html:
      let pictures = try wrappingQueue { () throws(JobStoreError) in
        try ReportPictures(roots).make(report, failed: failedCount, store)
      }
      output.write(report.html(now: now, plots: try plots(of: id, store), pictures: pictures))
    }
    return .success
  }

  /// Hands the jobs of a batch to `body`, page by page, for as long as it says so.
  private static func eachJob(
    of batch: BatchID,
    _ store: JobStore,
    _ body: ([ReportedJob]) -> Bool
  ) throws(ProgramError) {
    var last: JobID?
    while true {
      let jobs = try wrappingQueue { () throws(JobStoreError) in
        try store.reportedJobs(of: batch, after: last)
      }
      guard !jobs.isEmpty, body(jobs) else { return }
      last = jobs.last?.id
    }
  }

  private static func failures(
    of batch: BatchID,
    _ store: JobStore
  ) throws(ProgramError) -> [BatchReport.Failures] {
    try wrappingQueue { () throws(JobStoreError) in
      var failures: [BatchReport.Failures] = []
      for group in try store.failureGroups(of: batch) {
        let jobs = try store.failures(
          of: batch,
          code: group.code.rawValue,
          limit: failureLimit
        )
        failures.append(BatchReport.Failures(group: group, jobs: jobs))
      }
      return failures
    }
  }

  /// Photos whose levels are added for the report's picture: enough for its shape, whatever the batch has.
  private static let plottedPhotos = 200

  /// The histograms of the photos together, where statistics were measured.
  private static func plots(
    of batch: BatchID,
    _ store: JobStore
  ) throws(ProgramError) -> [(title: String, svg: String)] {
    let planes = try wrappingQueue { () throws(JobStoreError) in
      try store.hasStatistics(batch)
        ? try store.histogram(of: batch, maximumPhotos: plottedPhotos) : []
    }
    guard !planes.isEmpty else { return [] }
    let statistics = StatisticsDocument(planes, batch: batch)
    let photos = planes.map(\.photos).max() ?? 0
    let title =
      photos > plottedPhotos
      ? "Levels of up to \(plottedPhotos) photos spread over the batch" : "Levels of all photos"
    return [(title, statistics.chart.plot.svg)]
  }
}
