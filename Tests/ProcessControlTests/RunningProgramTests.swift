import CLinux
import FileSystem
import Glibc
import ProcessControl
import TestSupport
import Testing

@Suite struct RunningProgramTests {
  private func shell(_ script: String) -> ProgramLaunch {
    ProgramLaunch("/bin/sh", arguments: ["-c", script])
  }

  @Test func reportsExitCodeAndSignal() throws {
    #expect(try RunningProgram.start(shell("exit 7")).wait().reason == .code(7))
    #expect(try RunningProgram.start(shell("kill -11 $$")).wait().reason == .signal(SIGSEGV))
  }

  @Test func aMissingProgramIsAnErrorOfTheStart() throws {
    #expect(throws: SystemError(errorNumber: ENOENT, call: "execve", path: "/no/such")) {
      _ = try RunningProgram.start(ProgramLaunch("/no/such")).processID
    }
    #expect(throws: SystemError(errorNumber: EINVAL, call: "execve", path: "/bin/sh")) {
      _ = try RunningProgram.start(ProgramLaunch("/bin/sh", arguments: ["a\0b"])).processID
    }
  }

  /// Where the kernel refuses handles of processes, the end is seen all the same, and not reaped.
  @Test func theEndIsSeenWithoutAHandle() throws {
    let running = try RunningProgram.start(shell("sleep 0.1; exit 3"))
    #expect(rawmill_poll_ended(running.processID, 30_000) == 1)
    #expect(running.wait().reason == .code(3))
    let other = try RunningProgram.start(shell("exec sleep 600"))
    #expect(rawmill_poll_ended(other.processID, 30) == 0)
    #expect(other.kill().reason == .signal(SIGKILL))
  }

  @Test func killsWhatOutlivesItsTime() throws {
    let running = try RunningProgram.start(shell("exec sleep 600"))
    #expect(running.hasEnded(within: .milliseconds(20)) == false)
    #expect(running.kill().reason == .signal(SIGKILL))
  }

  @Test func aValueThatEndsKillsItsProgram() throws {
    let id: Int32
    do {
      let running = try RunningProgram.start(shell("exec sleep 600"))
      id = running.processID
    }
    #expect(kill(id, 0) == -1)
  }

  @Test func passesExactlyTheGivenDescriptors() throws {
    let folder = try TemporaryDirectory()
    let output = try FileDescriptor.open(
      folder.path("out"),
      .readWriteExclusively(permissions: 0o600)
    )
    // Leave one open without the close-on-exec flag, as a careless library would.
    let leaked = dup(output.rawValue)
    defer { close(leaked) }
    var launch = shell("ls /proc/self/fd | tr '\\n' ' '")
    launch.descriptors = [nil, output.rawValue, nil, output.rawValue]
    #expect(try RunningProgram.start(launch).wait().isSuccess)
    let text = String(decoding: try output.readAll(limit: 1000), as: UTF8.self)
    // 4 is the folder that ls reads.
    #expect(text == "0 1 2 3 4 ")
  }

  @Test func descriptorsMayCrossOver() throws {
    let folder = try TemporaryDirectory()
    let first = try FileDescriptor.open(
      folder.path("1"),
      .readWriteExclusively(permissions: 0o600)
    )
    let second = try FileDescriptor.open(
      folder.path("2"),
      .readWriteExclusively(permissions: 0o600)
    )
    // Through /proc: the shell's own `>&` knows no descriptor above 9.
    let folderOfOpenFiles = "/proc/self/fd"
    var launch = shell(
      "echo one >\(folderOfOpenFiles)/\(second.rawValue); "
        + "echo two >\(folderOfOpenFiles)/\(first.rawValue)"
    )
    var descriptors = [Int32?](
      repeating: nil,
      count: Int(max(first.rawValue, second.rawValue)) + 1
    )
    descriptors[Int(first.rawValue)] = second.rawValue
    descriptors[Int(second.rawValue)] = first.rawValue
    launch.descriptors = descriptors
    #expect(try RunningProgram.start(launch).wait().isSuccess)
    #expect(try first.readAll(limit: 10) == Array("one\n".utf8))
    #expect(try second.readAll(limit: 10) == Array("two\n".utf8))
  }

  @Test func environmentDirectoryAndLimits() throws {
    let folder = try TemporaryDirectory()
    let output = try FileDescriptor.open(
      folder.path("out"),
      .readWriteExclusively(permissions: 0o600)
    )
    var launch = shell("echo $A-$HOME; pwd; ulimit -c; ulimit -f; cat /dev/zero > big; echo $?")
    launch.environment = ["A": "x=y", "HOME": Optional<String>.none]
    launch.workingDirectory = folder.root
    launch.descriptors = [nil, output.rawValue, nil]
    launch.limits = .init(fileSize: 1 << 20, allowsCoreDump: false)
    #expect(try RunningProgram.start(launch).wait().isSuccess)
    let lines = String(decoding: try output.readAll(limit: 1000), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    #expect(lines == ["x=y-", folder.root.displayText, "0", "2048", "1"])
    #expect(try folder.path("big").status().size == 1 << 20)
  }

  @Test(arguments: [true, false]) func theKernelIsToldToKillItWithItsParent(asked: Bool) throws {
    let folder = try TemporaryDirectory()
    let output = try FileDescriptor.open(
      folder.path("out"),
      .readWriteExclusively(permissions: 0o600)
    )
    // prctl(PR_GET_PDEATHSIG) through perl, which every Debian has.
    #if arch(arm64)
    let prctl = 167
    #else
    let prctl = 157
    #endif
    let script = #"my $s = pack("i", -1); syscall(\#(prctl), 2, $s); print unpack("i", $s)"#
    var launch = ProgramLaunch("/usr/bin/perl", arguments: ["-e", script])
    launch.diesWithParent = asked
    launch.descriptors = [nil, output.rawValue, nil]
    #expect(try RunningProgram.start(launch).wait().isSuccess)
    #expect(try output.readAll(limit: 10) == Array((asked ? "9" : "0").utf8))
  }

  @Test func reportsUse() throws {
    let exit = try RunningProgram.start(
      shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
    ).wait()
    #expect(exit.userTime + exit.systemTime > .zero)
    #expect(exit.peakBytes > 0)
  }
}
