internal import Diagnostics
internal import Digest
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime
internal import Worker

/// `rawmill provenance`: what made an output.
enum ProvenanceCommand: Command {
  static let output = Positional("output", .path, isOptional: true, "An output, as it was written.")
  static let sha256 = Option(
    "--sha256",
    "hex",
    .text,
    "Outputs with these bytes, wherever they are now: 64 hexadecimal digits."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("provenance", "Say which input, recipe, settings and program made an output.")
      .discussion(
        """
        By its path the output's record is found even when the file is gone, and the file that is there \
        is compared with it; --sha256 finds a file that was moved or renamed. One that was made several \
        times is there once for each, the newest first. Exit code 1: nothing is known of it.
        """
      )
      .positional(output).option(sha256).option(CommonOptions.root)
      .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let path = arguments.all(output).first
    let digest = try digest(arguments)
    guard (path == nil) != (digest == nil) else {
      throw .usage(.conflict("name an output or give --sha256, one of both"))
    }
    let roots = try RootOptions.map(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    var file: SHA256Digest?
    let found: [JSONValue]
    if let path {
      let absolute = try wrappingFiles { () throws(SystemError) in try path.absolute() }
      file = try current(absolute)
      found = try wrappingQueue { () throws(JobStoreError) in
        try store.provenance(at: roots.locations(of: absolute))
      }
    } else {
      found = try wrappingQueue { () throws(JobStoreError) in
        try digest.map { (value) throws(JobStoreError) in try store.provenance(of: value) } ?? []
      }
    }
    for object in found {
      show(path == nil ? object : compared(object, with: file), arguments, program)
    }
    guard !found.isEmpty else {
      program.log.write(
        .error,
        "outputUnknown",
        "nothing is known of an output \(path?.displayText ?? "with that digest")"
      )
      return .someFailed
    }
    return .success
  }

  private static func digest(_ arguments: ParsedArguments) throws(ProgramError) -> SHA256Digest? {
    guard let text = arguments[sha256] else { return nil }
    guard let digest = SHA256Digest(hex: text) else {
      throw .usage(.invalidValue(text, of: "--sha256", expected: "64 hexadecimal digits"))
    }
    return digest
  }

  /// The digest of the file that is at a path now; nil where none is.
  private static func current(_ path: FilePath) throws(ProgramError) -> SHA256Digest? {
    do throws(WorkerError) {
      return try FileDigest.sha256(of: path)
    } catch .system(let error) where error.code == "noSuchFile" {
      return nil
    } catch {
      throw .picture(path, error)
    }
  }

  /// The record with what the file of that name is now: `same`, `changed`, or `missing`.
  private static func compared(_ object: JSONValue, with file: SHA256Digest?) -> JSONValue {
    let recorded = object["output"]?["sha256"]?.stringValue
    let state = file.map { $0.hex == recorded ? "same" : "changed" } ?? "missing"
    return .object([("file", .string(state))] + (object.objectValue ?? []))
  }

  private static func show(
    _ object: JSONValue,
    _ arguments: ParsedArguments,
    _ program: Program
  ) {
    let events = program.events(arguments)
    guard !events.isEnabled else {
      events.emit("provenance", ["provenance": object])
      return
    }
    let output = object["output"]
    let root = output?["root"]?.stringValue ?? ""
    let path = output?["path"]?.stringValue ?? ""
    // As everywhere: the host's own root stands for itself.
    program.standardOutput.writeLine(
      TerminalText.harmless(root == FileLocation.hostRoot ? "/\(path)" : "\(root):\(path)")
    )
    for line in OutlineText.lines(of: object, indent: 2) {
      program.standardOutput.writeLine(line)
    }
  }
}
