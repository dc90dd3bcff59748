import JSON
import TestSupport
import Testing

/// What people see of the program before it does anything.
@Suite struct CommandLineTests {
  @Test func withoutArgumentsItIntroducesItself() throws {
    let run = try RawmillRun.call()
    #expect(run.exitCode == 0)
    #expect(
      run.outputText.hasPrefix(
        """
        OVERVIEW: A batch farm for camera raws: DNG to HEIC and TIFF, through a queue in
        PostgreSQL.

        """
      )
    )
    #expect(run.outputText.contains("USAGE: rawmill <subcommand>"))
    #expect(!run.outputText.contains("child"))
  }

  @Test func versionNamesTheRevision() throws {
    let run = try RawmillRun.call("--version")
    #expect(run.exitCode == 0)
    #expect(run.outputText.wholeMatch(of: /rawmill \d+\.\d+\.\d+ \(.+\)\n/) != nil)
  }

  /// Every command and the last word of its overview's first line.
  static let commands = [
    "develop", "inspect", "recipe", "recipe check", "recipe schema", "recipe explain", "sample",
  ]

  @Test(arguments: commands)
  func everyCommandHasHelp(command: String) throws {
    let words = command.split(separator: " ").map { Array($0.utf8) }
    let run = try RawmillRun.call(words + [Array("--help".utf8)])
    #expect(run.exitCode == 0)
    #expect(run.errorOutput.isEmpty)
    #expect(run.outputText.hasPrefix("OVERVIEW: "))
    #expect(run.outputText.contains("USAGE: rawmill \(command) "))
    #expect(run.outputText.contains("  -h, --help              Show help information.\n"))
    #expect(run.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let again = try RawmillRun.call([Array("help".utf8)] + words)
    #expect(again.output == run.output)
  }

  @Test func helpOfDevelop() throws {
    #expect(
      try RawmillRun.call("develop", "--help").outputText == """
        OVERVIEW: Render one raw without a queue.

        The raw is decoded and encoded in a process of its own, as in a batch. An
        existing file is never replaced; a raw that fails leaves no output.

        USAGE: rawmill develop <input> [--recipe <file>] --to <folder> [--threads <m>]
          [--json]

        ARGUMENTS:
          <input>                 The raw.

        OPTIONS:
          --recipe <file>         The recipe, YAML or JSON; HEIC in Display P3 if
                                  absent.
          --to <folder>           The folder that outputs are written to.
          --threads <m>           Threads for each picture; by default what affinity and
                                  control groups allow.
          --json                  Print events as JSON, one a line.
          -h, --help              Show help information.

        """
    )
  }

  @Test(arguments: [
    (["devlop"], "Unknown subcommand 'devlop'. Did you mean 'develop'?"),
    (["recipe", "expalin"], "Unknown subcommand 'expalin'. Did you mean 'explain'?"),
    (["develop", "a.dng"], "Missing expected option '--to <folder>'."),
    (
      ["develop", "a.dng", "--to", "x", "--recpie=r"],
      "Unknown option '--recpie'. Did you mean '--recipe'?"
    ),
    (
      ["develop", "a.dng", "--to", "x", "--threads", "none"],
      "The value 'none' is invalid for '--threads'; expected a whole number from 1 to 1024."
    ),
    (["inspect"], "Missing expected argument '<input>'."),
    (["child"], "A render process is started by a worker only."),
  ])
  func usageErrorsAreExplained(words: [String], message: String) throws {
    let run = try RawmillRun.call(words.map { Array($0.utf8) })
    #expect(run.exitCode == 64)
    #expect(run.output.isEmpty)
    #expect(run.errorText.hasPrefix("Error: \(message)\nUsage: rawmill "))
    #expect(run.errorText.hasSuffix(" --help' for more information.\n"))
  }
}
