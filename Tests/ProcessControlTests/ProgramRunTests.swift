import FileSystem
import ProcessControl
import TestSupport
import Testing

@Suite struct ProgramRunTests {
  @Test func catchesBothOutputs() throws {
    let run = try ProgramRun.run("/bin/sh", arguments: ["-c", "echo out; echo err >&2; exit 3"])
    #expect(run.outputText == "out\n")
    #expect(run.errorText == "err\n")
    #expect(run.exit.reason == .code(3))
  }

  @Test func killsAtTheTimeout() {
    #expect(throws: ProgramRunError.timedOut(standardOutput: "a\n", standardError: "")) {
      _ = try ProgramRun.run(
        "/bin/sh",
        arguments: ["-c", "echo a; exec sleep 600"],
        timeout: .milliseconds(300)
      )
    }
  }

  @Test func temporaryDirectoriesVanish() throws {
    let path: FilePath
    do {
      let folder = try TemporaryDirectory()
      try folder.write([1], to: "a/b")
      path = folder.root
    }
    #expect(try path.statusIfExists() == nil)
  }
}
