package import FileSystem
internal import Glibc
package import ProcessControl

/// A program that ran to its end, and what it printed.
package struct ProgramRun: Sendable {
  package let exit: ProgramExit
  package let output: [UInt8]
  package let errorOutput: [UInt8]

  package var outputText: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

  /// Runs a program with nothing to read and catches both outputs.
  ///
  /// - Throws: `ProgramRunError.timedOut` after killing a program that takes longer than `timeout`.
  package static func run(
    _ program: FilePath,
    arguments: [[UInt8]],
    environment: [String: String?] = [:],
    workingDirectory: FilePath? = nil,
    timeout: Duration = .seconds(60)
  ) throws -> ProgramRun {
    let folder = try TemporaryDirectory()
    // Files and not pipes: no reader has to keep up, and what a killed program wrote is still there.
    let output = try FileDescriptor.open(
      folder.path("output"),
      .readWriteExclusively(permissions: 0o600)
    )
    let errorOutput = try FileDescriptor.open(
      folder.path("error"),
      .readWriteExclusively(permissions: 0o600)
    )
    var launch = ProgramLaunch(program, arguments: arguments)
    launch.environment = environment
    launch.workingDirectory = workingDirectory
    launch.descriptors = [nil, output.rawValue, errorOutput.rawValue]
    launch.diesWithParent = true
    let running = try RunningProgram.start(launch)
    let ended = running.hasEnded(within: timeout)
    let exit = ended ? running.wait() : running.kill()
    let run = ProgramRun(
      exit: exit,
      output: try output.readAll(limit: 1 << 30),
      errorOutput: try errorOutput.readAll(limit: 1 << 30)
    )
    guard ended else {
      throw ProgramRunError.timedOut(
        standardOutput: run.outputText,
        standardError: run.errorText
      )
    }
    return run
  }

  /// The same with text arguments.
  package static func run(
    _ program: FilePath,
    arguments: [String],
    environment: [String: String?] = [:],
    workingDirectory: FilePath? = nil,
    timeout: Duration = .seconds(60)
  ) throws -> ProgramRun {
    try run(
      program,
      arguments: arguments.map { Array($0.utf8) },
      environment: environment,
      workingDirectory: workingDirectory,
      timeout: timeout
    )
  }
}
