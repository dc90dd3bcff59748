internal import DNGFormat
internal import Diagnostics
internal import FileSystem
internal import HistogramPlot
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime
internal import Worker

/// `rawmill histogram`: what a raw's samples are, in numbers or as a picture.
enum HistogramCommand: Command {
  static let target = Positional(
    "file|batch",
    .path,
    "A raw, the document of a statistics output, or the number of a batch whose histograms are added."
  )
  static let bins = Option(
    "--bins",
    "n",
    .integer(2...65_536),
    "Adds histograms of n bins from black to white to the document."
  )
  static let json = Flag("--json", "Print the document of a statistics output, one line of JSON.")
  static let csv = Flag("--csv", "Print plane, level and samples of each level that occurs.")
  static let png = Flag("--png", "Write a picture as PNG to standard output.")
  static let svg = Flag("--svg", "Write a picture as SVG to standard output.")

  static var syntax: CommandSyntax {
    CommandSyntax("histogram", "Exact histograms and statistics of a raw's samples.")
      .discussion(
        """
        Each plane of the mosaic (red, the two greens, blue) is counted for itself, within the \
        default crop, without demosaicing. The guide Statistics says what every number means.

        A picture shows the levels of each plane on a logarithmic scale with black, white and the \
        level where samples pile up; the same by EV below white; and noise by signal.
        """
      )
      .positional(target).option(bins).option(CommonOptions.threads)
      .option(CommonOptions.digestPolicy).option(CommonOptions.database).flag(json).flag(csv)
      .flag(png).flag(svg)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let forms = [json, csv, png, svg].filter { arguments[$0] }.map(\.name)
    guard forms.count < 2 else {
      throw .usage(.conflict("\(forms[0]) and \(forms[1]) exclude each other"))
    }
    if arguments[bins] != nil, !arguments[json] {
      throw .usage(.conflict("--bins adds to the document: it goes with --json"))
    }
    if arguments[png], Terminal.isInteractive(1) {
      throw .usage(.conflict("--png writes a picture: send it to a file, as in --png > a.png"))
    }
    let path = try arguments.requireValue(target)
    let exists = try wrappingFiles { () throws(SystemError) in try path.statusIfExists() != nil }
    let statistics: StatisticsDocument
    if !exists, let number = Int64(path.displayText), number > 0 {
      try requireRaw(arguments)
      statistics = try batch(BatchID(rawValue: number), arguments, program)
    } else {
      statistics = try document(path, arguments)
    }
    write(statistics, arguments, program)
    return .success
  }

  /// The document of a raw, which is measured, or of a file that holds one.
  private static func document(
    _ path: FilePath,
    _ arguments: ParsedArguments
  ) throws(ProgramError) -> StatisticsDocument {
    let json: JSONValue
    if let stored = (try? StatisticsDocument.stored(in: path)) ?? nil {
      try requireRaw(arguments)
      json = stored
    } else {
      do throws(WorkerError) {
        let oneShot = Interruption.stopping(
          OneShot(
            launch: ChildLaunch(digestPolicy: arguments[CommonOptions.digestPolicy] ?? .error)
          )
        )
        json = try oneShot.statistics(
          path,
          binCount: arguments[bins],
          threads: arguments[CommonOptions.threads] ?? ProcessorBudget.current.threadCount
        )
      } catch {
        throw .picture(path, error)
      }
    }
    do throws(JSONError) {
      return try StatisticsDocument(json, title: path.lastComponent?.displayText ?? "")
    } catch {
      throw .picture(path, error)
    }
  }

  /// Refuses what only a raw that is measured now can have.
  private static func requireRaw(_ arguments: ParsedArguments) throws(ProgramError) {
    guard arguments[bins] == nil else {
      throw .usage(.conflict("--bins is for raws: what was measured has its histograms already"))
    }
  }

  private static func batch(
    _ id: BatchID,
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> StatisticsDocument {
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let planes = try wrappingQueue { () throws(JobStoreError) in
      _ = try store.batch(id)
      return try store.histogram(of: id)
    }
    return StatisticsDocument(planes, batch: id)
  }

  private static func write(
    _ statistics: StatisticsDocument,
    _ arguments: ParsedArguments,
    _ program: Program
  ) {
    let output = program.standardOutput
    if arguments[json] {
      output.writeLine(statistics.json.text())
    } else if arguments[csv] {
      output.write(statistics.csv)
    } else if arguments[svg] {
      output.write(statistics.chart.plot.svg)
    } else if arguments[png] {
      output.write(bytes: statistics.chart.plot.png)
    } else {
      for line in statistics.lines { output.writeLine(TerminalText.harmless(line)) }
    }
  }
}
