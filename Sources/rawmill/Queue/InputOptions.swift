internal import Discovery
internal import FileSystem
internal import ServiceRuntime

/// How `run` and `submit` are told their inputs.
enum InputOptions {
  static let inputs = Positional(
    "input",
    .path,
    isRepeatable: true,
    isOptional: true,
    "Raws, folders that are searched for raws, and patterns in quotes such as 'shoot/**/*.dng'."
  )
  static let filesFrom = Option(
    "--files-from",
    "file",
    .path,
    "A list of raws and folders, one a line or NUL between them; '-' is standard input."
  )
  static let jsonLines = Option(
    "--jsonl",
    "file",
    .path,
    "A list of JSON objects, one a line, with what is special for each raw; '-' is standard input."
  )
  static let base = Option(
    "--base",
    "folder",
    .path,
    "Outputs of lists keep their input's folders below this one; the working directory if absent."
  )
  static let order = Option<SubmissionOrder>(
    "--order",
    "order",
    .choice,
    "'early-look' does the first, last and middle frames of each folder first; 'name' if absent."
  )

  static func add(to syntax: CommandSyntax) -> CommandSyntax {
    syntax.positional(inputs).option(filesFrom).option(jsonLines).option(base).option(order)
  }

  /// A list's name in messages.
  static func name(_ file: FilePath) -> String {
    file == "-" ? "<standard input>" : file.displayText
  }

  /// The entries of the lists of a call.
  static func entries(_ arguments: ParsedArguments) throws(ProgramError) -> [InputEntry] {
    guard arguments[filesFrom] == nil || arguments[jsonLines] == nil else {
      throw .usage(.conflict("--files-from and --jsonl exclude each other."))
    }
    guard let file = arguments[filesFrom] ?? arguments[jsonLines] else { return [] }
    if file == "-", arguments[CommonOptions.recipe] == "-" {
      throw .usage(.conflict("The recipe and the list can't both be standard input."))
    }
    let bytes = try wrappingFiles { () throws(SystemError) in
      // One byte more than a list may have, so that too long a list is called that.
      file == "-"
        ? try StandardInput.read(limit: InputList.byteLimit + 1)
        : try FileDescriptor.open(file, .read).readAll(limit: InputList.byteLimit + 1)
    }
    do throws(DiscoveryError) {
      return arguments[jsonLines] == nil
        ? try InputList.paths(bytes) : try InputList.jsonLines(bytes)
    } catch {
      throw .usage(.conflict("\(name(file)): \(error.message)"))
    }
  }

  /// Where the inputs are; a mistyped one is the caller's error, not a picture that failed.
  static func sources(
    _ arguments: ParsedArguments,
    _ entries: [InputEntry]
  ) throws(ProgramError) -> [InputSource] {
    var sources: [InputSource] = []
    for input in arguments.all(inputs) {
      let status = try wrappingFiles { () throws(SystemError) in try input.statusIfExists() }
      if status == nil, GlobPattern.isPattern(input) {
        sources.append(.pattern(GlobPattern(input)))
        continue
      }
      _ = try wrappingFiles { () throws(SystemError) in try input.status() }
      sources.append(.path(input))
    }
    for (index, entry) in entries.enumerated() {
      sources.append(.listed(entry.input, entry: index))
    }
    let hasList = arguments[filesFrom] != nil || arguments[jsonLines] != nil
    guard !sources.isEmpty || hasList else { throw .usage(.missingArgument(inputs.name)) }
    return sources
  }
}
