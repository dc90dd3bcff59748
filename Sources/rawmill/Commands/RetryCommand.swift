internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill retry`: has failed jobs done again.
enum RetryCommand: Command {
  static let code = Option("--code", "code", .text, "Only those that failed with this code.")
  static let file = Option(
    "--file",
    "input",
    .path,
    isRepeatable: true,
    "Only this input: a path, or root:path as 'rawmill errors' shows it."
  )

  /// Without an answer for as long as this, it says how far it is.
  private static let patience = Duration.milliseconds(500)

  static var syntax: CommandSyntax {
    SteeringOptions.syntax("retry", "Do failed jobs of a batch again.")
      .option(code).option(file).option(CommonOptions.root).queueOptions()
      .discussion(
        """
        Jobs start with all their attempts again. A job stays failed while another live job writes \
        one of its outputs. Of many jobs it says twice a second how many already wait again; one that \
        is interrupted leaves the others failed, and the same call goes on.
        """
      )
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let batch = try SteeringOptions.batch(arguments)
    let inputs = try locations(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let log = program.log
    var noted = SystemInformation.monotonicTime
    let result = try wrappingQueue { () throws(JobStoreError) in
      try store.retryFailed(of: batch, code: arguments[code], inputs: inputs) { sum in
        guard SystemInformation.monotonicTime - noted >= patience else { return }
        noted = SystemInformation.monotonicTime
        log.info("batch \(batch): \(sum.again) are done again so far")
      }
    }
    var line =
      result.again > 0
      ? "batch \(batch): \(Quantity.count(result.again, "failed job")) done again"
      : "batch \(batch): no failed job to do again"
    if result.held > 0 {
      line += "; \(result.held) stay failed: another job writes their outputs"
    }
    SteeringOptions.report(
      line,
      "jobsRetried",
      [
        "batch": .init(batch.rawValue), "again": .init(result.again), "held": .init(result.held),
      ],
      arguments,
      program
    )
    return result.held == 0 ? .success : .someFailed
  }

  /// Every location that a named input may have in the queue; nil where none was named.
  private static func locations(
    _ arguments: ParsedArguments
  ) throws(ProgramError) -> [FileLocation]? {
    let files = arguments.all(file)
    guard !files.isEmpty else { return nil }
    let roots = try RootOptions.map(arguments)
    var locations: [FileLocation] = []
    for file in files {
      let path = try wrappingFiles { () throws(SystemError) in try file.absolute() }
      locations += roots.locations(of: path)
      if !file.isAbsolute, let colon = file.bytes.firstIndex(of: UInt8(ascii: ":")),
        let root = String(validating: file.bytes[..<colon], as: UTF8.self)
      {
        let below = FilePath(bytes: file.bytes[(colon + 1)...])
        locations.append(FileLocation(root: root, path: below))
      }
    }
    return locations
  }
}
