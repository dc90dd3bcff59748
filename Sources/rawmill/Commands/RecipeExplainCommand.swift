internal import Digest
internal import FileSystem
internal import JSON
internal import Recipe
internal import ServiceRuntime
internal import Worker

/// `rawmill recipe explain`: what a recipe means for one raw.
enum RecipeExplainCommand: Command {
  static let input = Positional("input", .path, "The raw.")
  static let plan = Flag("--plan", "Also list the stages that a render runs, in their order.")
  static let json = Flag("--json", "Print one JSON object.")

  static var syntax: CommandSyntax {
    CommandSyntax(
      "explain",
      "Print the value that each setting has for a raw, and where it comes from."
    )
    .positional(input).option(CommonOptions.recipe).flag(plan).flag(json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let path = try arguments.requireValue(input)
    let (recipe, name) = try RecipeSource.load(arguments[CommonOptions.recipe])
    let explanation: JSONValue
    do throws(WorkerError) {
      explanation = try Interruption.stopping(OneShot())
        .explain(path, recipe: recipe.json, includesPlan: arguments[plan])
    } catch {
      throw .picture(path, error)
    }
    if arguments[json] {
      program.standardOutput.writeLine(
        explanation.setting("path", .init(path)).setting("recipe", recipe.json).text()
      )
      return .success
    }
    for line in lines(explanation, path: path, recipe: recipe, name: name) {
      program.standardOutput.writeLine(line)
    }
    return .success
  }

  private static func lines(
    _ explanation: JSONValue,
    path: FilePath,
    recipe: Recipe,
    name: String
  ) -> [String] {
    var lines = ["\(path) by the recipe \(name) (\(recipe.digest))", ""]
    var settings = TextTable([("setting", .leading), ("value", .leading), ("from", .leading)])
    for (name, setting) in explanation["settings"]?.objectValue ?? [] {
      settings.add([
        name, setting["value"]?.explained ?? "", setting["origin"]?.stringValue ?? "",
      ])
    }
    lines += settings.lines(indent: 2) + [""]
    if !recipe.rules.isEmpty {
      let holding = explanation["rulesHolding"]?.arrayValue ?? []
      let numbers = holding.isEmpty ? "none" : holding.map(\.explained).joined(separator: ", ")
      lines += ["  rules that hold: \(numbers) of \(recipe.rules.count)", ""]
    }
    let flags = (explanation["supported"]?.objectValue ?? []).filter { $0.value == false }
    if !flags.isEmpty {
      let names = flags.map(\.key).joined(separator: ", ")
      lines += ["  without effect on this raw (false): \(names)", ""]
    }
    var outputs = TextTable([("output", .leading), ("file", .leading), ("settings", .leading)])
    for (output, json) in zip(recipe.outputs, recipe.json["outputs"]?.arrayValue ?? []) {
      let members = (json[output.kindName]?.objectValue ?? []).filter {
        $0.key != "suffix" && $0.key != "id"
      }
      outputs.add([
        output.id, output.nameEndings.map { "{name}\($0)" }.joined(separator: ", "),
        members.map { "\($0.key) \($0.value.explained)" }.joined(separator: ", "),
      ])
    }
    lines += outputs.lines(indent: 2)
    let skipped = explanation["skippedOpcodes"]?.arrayValue ?? []
    if !skipped.isEmpty {
      lines += ["", "  left out: \(skipped.map(\.explained).joined(separator: ", "))"]
    }
    for warning in explanation["warnings"]?.arrayValue ?? [] {
      lines += ["", "  warning: \(warning.explained)"]
    }
    if let stages = explanation["plan"]?.arrayValue {
      lines += [""] + planLines(stages)
    }
    return lines
  }

  /// The steps of a render: what each works on, the pixels around a tile that it reads, its memory for
  /// each thread, or for the picture where it reads all of it first.
  private static func planLines(_ stages: [JSONValue]) -> [String] {
    var table = TextTable([
      ("stage", .leading), ("works on", .leading), ("halo", .trailing), ("memory", .trailing),
    ])
    for stage in stages {
      let halo = stage["halo"]?.integerValue ?? 0
      let bytes = stage["scratchBytes"]?.integerValue ?? 0
      table.add([
        stage["name"]?.stringValue ?? "", stage["kind"]?.stringValue ?? "",
        halo > 0 ? String(halo) : "", bytes > 0 ? "\((bytes + 1023) / 1024) KiB" : "",
      ])
    }
    return table.lines(indent: 2)
  }
}

extension JSONValue {
  /// The value for people: text without quotes, numbers rounded.
  fileprivate var explained: String {
    switch self {
    case .string(let text): TerminalText.harmless(text)
    case .number(let number): Quantity.significant(number)
    case .array(let elements): elements.map(\.explained).joined(separator: " ")
    default: text()
    }
  }
}
