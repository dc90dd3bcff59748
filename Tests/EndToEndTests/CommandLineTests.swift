import FileSystem
import JSON
import ProcessControl
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
    "develop", "inspect", "verify", "recipe", "recipe check", "recipe schema", "recipe explain",
    "sample",
    "run",
    "submit", "estimate", "audit", "restore", "worker", "status", "database", "database start",
    "database stop", "database status",
    "database migrate",
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
          [--digest-policy <policy>] [--json]

        ARGUMENTS:
          <input>                 The raw.

        OPTIONS:
          --recipe <file>         The recipe, YAML or JSON; HEIC in Display P3 if
                                  absent.
          --to <folder>           The folder that outputs are written to.
          --threads <m>           Threads for each picture; by default what affinity and
                                  control groups allow.
          --digest-policy <policy>
                                  What a wrong raw image digest is: an error (the
                                  default), a warning, or nothing.
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

/// Exit codes that have nothing to do with pictures.
@Suite struct ExitCodeTests {
  @Test(arguments: [["status"], ["database", "migrate"], ["worker"]])
  func aDatabaseThatIsNotThereIs69(words: [String]) throws {
    let url = "--database=postgresql://nobody@127.0.0.1:1/none?connect_timeout=2"
    let run = try RawmillRun.call((words + [url]).map { Array($0.utf8) })
    #expect(run.exitCode == 69)
    #expect(run.errorText.hasPrefix("rawmill: "))
    #expect(run.output.isEmpty)
  }

  @Test func aDatabaseThatIsNoneIsAUsageError() throws {
    let run = try RawmillRun.call("status", "--database", "no such thing")
    #expect(run.exitCode == 64)
    #expect(run.errorText.hasPrefix("Error: --database: "))
  }

  @Test func aRootNeedsAFolder() throws {
    let run = try RawmillRun.call("worker", "--root", "shoot")
    #expect(run.exitCode == 64)
    #expect(
      run.errorText.hasPrefix(
        "Error: The value 'shoot' is invalid for '--root'; expected a name, = and a folder"
      )
    )
  }

  @Test func aMistypedInputStartsNothing() throws {
    let folder = try TemporaryDirectory()
    let target = try #require(folder.path("out").exactText)
    let run = try RawmillRun.call(
      "run",
      "/nowhere/at/all",
      "--to",
      target,
      "--recipe",
      "/nowhere/r.yaml"
    )
    #expect(run.exitCode == 64)
    #expect(try folder.root.directoryEntries().isEmpty)
  }

  /// What does not fit on a disk is an error that is named; nothing is written behind the gap.
  @Test func aFullDiskUnderStandardOutputIs74() throws {
    let run = try shell("exec \"$0\" --help > /dev/full")
    #expect(run.exitCode == 74)
    #expect(
      run.errorText
        == "rawmill: standard output was cut short: No space left on device (write: ENOSPC) "
        + "[diskFull]\n"
    )
    #expect(try shell("exec \"$0\" --version > /dev/full").exitCode == 74)
    #expect(try shell("exec \"$0\" --version >&-").exitCode == 74)
    // A command that fails for another reason keeps its code, and its own word.
    let usage = try shell("exec \"$0\" status --database 'no such thing' > /dev/full")
    #expect(usage.exitCode == 64)
    #expect(usage.errorText.hasPrefix("Error: --database: "))
  }

  /// A reader that wants no more ends it without a word: by the signal, and where that is ignored, too.
  @Test(arguments: [(true, Int32(74)), (false, nil)])
  func aClosedPipeEndsItQuietly(isIgnored: Bool, code: Int32?) throws {
    let folder = try TemporaryDirectory()
    // The reader is gone before the first byte is written: the gate says so.
    let run = try shell(
      """
      cd '\(folder.root.displayText)' && mkfifo pipe gate || exit 99
      ( exec 3<pipe; exec 3<&-; echo > gate ) &
      exec 4>pipe
      read line < gate
      \(isIgnored ? "trap '' PIPE" : ":")
      exec "$0" --help >&4
      """
    )
    #expect(run.errorText == "")
    #expect(run.exitCode == code)
    if !isIgnored { #expect(run.exit.reason == .signal(13)) }
  }

  /// Runs a script with the program as `$0`.
  private func shell(_ script: String) throws -> ProgramRun {
    try ProgramRun.run(
      "/bin/sh",
      arguments: ["-c", script, BuiltProduct.rawmill.displayText],
      environment: ["RAWMILL_DATABASE_URL": nil, "COLUMNS": nil]
    )
  }
}
