internal import DNGFormat
internal import Diagnostics
internal import Discovery
internal import FileSystem
internal import JSON
internal import Recipe
internal import Rendering
internal import ServiceRuntime
internal import Worker

/// `rawmill estimate`: what a recipe would save and cost, by rendering some of the inputs.
enum EstimateCommand: Command {
  static let inputs = Positional(
    "input",
    .path,
    isRepeatable: true,
    "Raws, and folders that are searched for raws."
  )
  static let samples = Option(
    "--samples",
    "n",
    .integer(2...10_000),
    "How many files to render; 12 if absent."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("estimate", "Say how many bytes and CPU hours a recipe would save and cost.")
      .discussion(
        """
        Renders some of the raws, chosen evenly from the smallest to the largest, into a temporary \
        folder, proves outputs that store the samples anew, and reckons from them to all. In place \
        of a raw that fails another of about its size is rendered. The range is that in which the \
        sum lies in 19 of 20 such estimates, if the files are alike; fewer than three rendered \
        files have none.
        """
      )
      .positional(inputs).option(CommonOptions.recipe).option(samples)
      .option(CommonOptions.digestPolicy).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let recipe = try RecipeSource.load(arguments[CommonOptions.recipe]).recipe
    let inputs = arguments.all(Self.inputs)
    for input in inputs {
      _ = try wrappingFiles { () throws(SystemError) in try input.status() }
    }
    let scan: InputScan
    do throws(WorkerError) {
      scan = try InputScan(inputs, probe: ContentProbe())
    } catch {
      throw .other(error)
    }
    let files = scan.inputs
    let events = program.events(arguments)
    guard !files.isEmpty else {
      events.emit("estimated", ["files": 0])
      if !events.isEnabled { program.standardOutput.writeLine("no raws found") }
      return .success
    }
    let parts = EstimateSample.candidates(files, count: arguments[samples] ?? 12)
    let folder = try TemporaryFolder()
    let oneShot = Interruption.stopping(
      OneShot(launch: ChildLaunch(digestPolicy: arguments[CommonOptions.digestPolicy] ?? .error))
    )
    var estimate = Estimate(files: files)
    for part in parts {
      for file in part {
        do throws(WorkerError) {
          let sample = try EstimateSample.render(file, recipe, in: folder.path, oneShot)
          estimate.add(sample)
          events.emit("sample", ["sample": .object(sample.json)])
          break
        } catch {
          if case .interrupted = error { throw .picture(file.path, error) }
          estimate.addFailure()
          for line in ProgramError.picture(file.path, error).lines { program.log.error(line) }
          events.emit(
            "sampleFailed",
            [
              "path": .init(file.path), "code": .string(error.code.rawValue),
              "message": .string(error.message),
            ]
          )
        }
      }
    }
    if events.isEnabled {
      events.emit("estimated", ["estimate": .object(estimate.json)])
    } else {
      for line in estimate.lines { program.standardOutput.writeLine(line) }
    }
    return estimate.hasSamples ? .success : .someFailed
  }
}
