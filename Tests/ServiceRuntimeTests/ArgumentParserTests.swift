import FileSystem
import ServiceRuntime
import Testing

@Suite struct ArgumentParserTests {
  private enum Quality: String, CaseIterable { case low, high }

  private let input = Positional("input", .path, isRepeatable: true, "Raws and folders of raws.")
  private let recipe = Option("--recipe", "file", .path, "The recipe.")
  private let folder = Option("--to", "folder", .path, isRequired: true, "Where outputs go.")
  private let threads = Option("--threads", "m", .integer(1...64), "Threads.")
  private let quality = Option<Quality>("--quality", "q", .choice, "How good.")
  private let root = Option("--root", "name=path", .text, isRepeatable: true, "A root.")
  private let json = Flag("--json", "Events as JSON.")

  private var parser: ArgumentParser {
    ArgumentParser(
      CommandSyntax("rawmill", "A batch farm.").subcommands([
        CommandSyntax("run", "Renders.").positional(input).option(folder).option(recipe)
          .option(threads).option(quality).option(root).flag(json),
        CommandSyntax("recipe", "Recipes.").subcommands([
          CommandSyntax("check", "Checks a recipe.").positional(
            Positional("file", .path, "A file.")
          ),
          CommandSyntax("schema", "Prints the schema."),
        ]),
        CommandSyntax("child", "Renders for a worker.").hidden(),
      ])
    )
  }

  private func parse(_ words: String...) throws(ArgumentParser.Failure) -> ArgumentParser.Request {
    try parser.parse(words.map { Array($0.utf8) })
  }

  private func command(_ words: [String]) throws -> ParsedArguments {
    guard case .command(let arguments) = try parser.parse(words.map { Array($0.utf8) }) else {
      throw UsageError.conflict("no command")
    }
    return arguments
  }

  @Test func readsOptionsAnywhereInBothForms() throws {
    let arguments = try command([
      "run", "a", "--to=x=y", "--threads", "4", "b", "--json", "--root", "p=q", "--root=r", "--",
      "--c", "-",
    ])
    #expect(arguments.command == ["run"])
    #expect(arguments.all(input) == ["a", "b", "--c", "-"])
    #expect(arguments[folder] == "x=y")
    #expect(arguments[threads] == 4)
    #expect(arguments[json])
    #expect(arguments[recipe] == nil)
    #expect(arguments.all(root) == ["p=q", "r"])
    #expect(arguments[quality] == nil)
  }

  @Test func pathsAreBytes() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    let request = try parser.parse([Array("run".utf8), bytes, Array("--to".utf8), bytes])
    guard case .command(let arguments) = request else {
      Issue.record("no command")
      return
    }
    #expect(arguments.all(input) == [FilePath(bytes: bytes)])
    #expect(arguments[folder] == FilePath(bytes: bytes))
  }

  @Test func aLoneDashIsAnArgument() throws {
    #expect(try command(["run", "-", "--to", "-"]).all(input) == ["-"])
  }

  @Test(
    arguments: [
      (["rnu"], [], "Unknown subcommand 'rnu'. Did you mean 'run'?"),
      (["frobnicate"], [], "Unknown subcommand 'frobnicate'; there are run, recipe."),
      (["--vresion"], [], "Unknown option '--vresion'. Did you mean '--version'?"),
      (["recipe"], ["recipe"], "A subcommand is missing: one of check, schema."),
      (["recipe", "chek"], ["recipe"], "Unknown subcommand 'chek'. Did you mean 'check'?"),
      (["recipe", "check"], ["recipe", "check"], "Missing expected argument '<file>'."),
      (["recipe", "check", "a", "b"], ["recipe", "check"], "Unexpected argument 'b'."),
      (["run", "--to", "x"], ["run"], "Missing expected argument '<input>'."),
      (["run", "a"], ["run"], "Missing expected option '--to <folder>'."),
      (["run", "a", "--to"], ["run"], "Missing value for '--to <folder>'."),
      (
        ["run", "a", "--to", "--json"], ["run"],
        "Missing value for '--to <folder>'; write '--to=--json' if '--json' is meant."
      ),
      (
        ["run", "a", "--to", "x", "--recpie", "r"], ["run"],
        "Unknown option '--recpie'. Did you mean '--recipe'?"
      ),
      (["run", "a", "--to", "x", "-x"], ["run"], "Unknown option '-x'."),
      (
        ["run", "a", "--to", "x", "--threads", "0"], ["run"],
        "The value '0' is invalid for '--threads'; expected a whole number from 1 to 64."
      ),
      (
        ["run", "a", "--to", "x", "--threads=four"], ["run"],
        "The value 'four' is invalid for '--threads'; expected a whole number from 1 to 64."
      ),
      (
        ["run", "a", "--to", "x", "--quality", "hi"], ["run"],
        "The value 'hi' is invalid for '--quality'; expected low, high."
      ),
      (["run", "a", "--to="], ["run"], "The value '' is invalid for '--to'; expected a path."),
      (["run", "a", "--to", "x", "--to", "y"], ["run"], "The option '--to' stands twice."),
      (["run", "a", "--to", "x", "--json=1"], ["run"], "The option '--json' takes no value."),
    ] as [([String], [String], String)]
  )
  func saysWhatIsWrong(words: [String], command: [String], message: String) {
    do throws(ArgumentParser.Failure) {
      _ = try parser.parse(words.map { Array($0.utf8) })
      Issue.record("accepted")
    } catch {
      #expect(error.error.message == message)
      #expect(error.command == command)
    }
  }

  @Test(
    arguments: [
      (["--help"], []), (["-h"], []), ([], []), (["help"], []), (["help", "run"], ["run"]),
      (["run", "--help"], ["run"]), (["run", "a", "--bogus-after", "-h"], nil),
      (["run", "a", "-h", "--bogus"], ["run"]), (["recipe", "--help"], ["recipe"]),
      (["recipe", "help", "check"], ["recipe", "check"]),
      (["help", "recipe", "check"], ["recipe", "check"]),
    ] as [([String], [String]?)]
  )
  func helpIsEverywhere(words: [String], command: [String]?) {
    let request = try? parser.parse(words.map { Array($0.utf8) })
    if case .help(let found) = request {
      #expect(found == command)
    } else {
      #expect(command == nil)
    }
  }

  @Test func versionIsAsked() throws {
    guard case .version = try parse("--version") else {
      Issue.record("no version")
      return
    }
  }

  @Test func helpOfTheProgram() throws {
    let help = HelpText(parser.root, call: ["rawmill"]).full
    #expect(
      help == """
        OVERVIEW: A batch farm.

        USAGE: rawmill <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Renders.
          recipe                  Recipes.

          See 'rawmill help <subcommand>' for detailed help.

        """
    )
  }

  @Test func helpOfACommand() throws {
    let syntax = try #require(parser.syntax(of: ["run"])).discussion(
      "A paragraph.\n\n  rawmill run a\n    b"
    )
    #expect(
      HelpText(syntax, call: ["rawmill", "run"]).full == """
        OVERVIEW: Renders.

        A paragraph.

          rawmill run a
            b

        USAGE: rawmill run <input> ... --to <folder> [--recipe <file>] [--threads <m>]
          [--quality <q>] [--root <name=path> ...] [--json]

        ARGUMENTS:
          <input>                 Raws and folders of raws.

        OPTIONS:
          --to <folder>           Where outputs go.
          --recipe <file>         The recipe.
          --threads <m>           Threads.
          --quality <q>           How good.
          --root <name=path>      A root.
          --json                  Events as JSON.
          -h, --help              Show help information.

        """
    )
  }

  @Test func longSummariesWrapBelowTheirColumn() {
    let summary = "One two three four five six seven eight nine ten eleven twelve thirteen."
    let syntax = CommandSyntax("x", "X.")
      .option(Option("--a-rather-long-option", "value", .text, summary)).flag(Flag("--b", summary))
    let help = HelpText(syntax, call: ["rawmill", "x"]).full
    #expect(
      help.contains(
        """
          --a-rather-long-option <value>
                                  One two three four five six seven eight nine ten
                                  eleven twelve thirteen.
          --b                     One two three four five six seven eight nine ten
                                  eleven twelve thirteen.
        """
      )
    )
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func usageFollowsAnError() throws {
    let syntax = try #require(parser.syntax(of: ["recipe", "check"]))
    #expect(
      HelpText(syntax, call: ["rawmill", "recipe", "check"]).failure(.missingArgument("file"))
        == """
        Error: Missing expected argument '<file>'.
        Usage: rawmill recipe check <file>
          See 'rawmill recipe check --help' for more information.

        """
    )
  }
}
