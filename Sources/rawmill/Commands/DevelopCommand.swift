internal import DNGFormat
internal import Digest
internal import Discovery
internal import FileSystem
internal import JSON
internal import Raster
internal import Recipe
internal import Rendering
internal import ServiceRuntime
internal import Worker

/// `rawmill develop`: one picture, without a queue.
enum DevelopCommand: Command {
  static let input = Positional("input", .path, "The raw.")

  static var syntax: CommandSyntax {
    CommandSyntax("develop", "Render one raw without a queue.")
      .discussion(
        """
        The raw is decoded and encoded in a process of its own, as in a batch. An existing file is \
        never replaced; a raw that fails leaves no output.
        """
      )
      .positional(input).option(CommonOptions.recipe).option(CommonOptions.to)
      .option(CommonOptions.threads).option(CommonOptions.digestPolicy).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let path = try arguments.requireValue(input)
    let destination = try arguments.requireValue(CommonOptions.to)
    let folder = try wrappingFiles { () throws(SystemError) in try destination.absolute() }
    let recipe = try RecipeSource.load(arguments[CommonOptions.recipe]).recipe
    let threads = arguments[CommonOptions.threads] ?? ProcessorBudget.current.threadCount
    let events = program.events(arguments)
    let oneShot = Interruption.stopping(
      OneShot(launch: ChildLaunch(digestPolicy: arguments[CommonOptions.digestPolicy] ?? .error))
    )
    let outputs = try targets(of: path, recipe, in: folder)
    let rendered: OneShot.Rendered
    do throws(WorkerError) {
      rendered = try oneShot.render(
        path,
        recipe: recipe.json,
        threads: threads,
        outputs: outputs
      ) { event in
        switch event {
        case .stage(let name): events.emit("stage", ["name": .string(name)])
        case .progress(let fraction): events.emit("progress", ["fraction": .init(fraction)])
        }
      }
    } catch {
      throw .picture(path, error)
    }
    for (output, report) in zip(rendered.outputs, rendered.report.outputs) {
      // What the report says of an output, and where it is.
      let members = report.json.objectValue ?? []
      events.emit(
        "output",
        [
          "path": .init(output.target.path), "sha256": .string(output.sha256.description),
          "report": .object(members),
        ]
      )
      if !events.isEnabled {
        let size = report.size.map { "\($0.width)x\($0.height), " } ?? ""
        program.standardOutput.writeLine(
          "\(output.target.path): \(size)\(Quantity.bytes(output.size))"
        )
      }
    }
    events.emit(
      "done",
      [
        "input": .init(path), "report": rendered.report.json,
        "peakBytes": .init(rendered.peakBytes),
      ]
    )
    return .success
  }

  /// Where the outputs go: as a batch would name them for a file that was named itself.
  private static func targets(
    of input: FilePath,
    _ recipe: Recipe,
    in folder: FilePath
  ) throws(ProgramError) -> [OutputTarget] {
    let status: FileStatus
    do throws(SystemError) {
      status = try input.status()
    } catch {
      throw .picture(input, error)
    }
    let file = FoundFile(
      path: input,
      relativePath: input.lastComponent ?? input,
      status: status,
      isNamed: true
    )
    let paths = JobPlanner(recipe: recipe, destination: folder).outputPaths(of: file)
    return zip(recipe.files, paths).map { OutputTarget(id: $0.id, path: $1) }
  }
}
