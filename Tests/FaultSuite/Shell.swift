internal import FileSystem
internal import ProcessControl

/// Programs that are run to their end.
enum Shell {
  struct Output {
    var exit: ProgramExit
    var text: String
  }

  /// Runs a program with nothing to read, and gives all that it printed.
  static func run(
    _ program: FilePath,
    _ arguments: [String],
    environment: [String: String?] = [:],
    identity: (user: UInt32, group: UInt32)? = nil,
    limit: Duration = .seconds(120)
  ) throws -> Output {
    // A file and not a pipe: no reader has to keep up.
    let path = FilePath("/tmp/rawmill-faults-\(SystemInformation.processID)-\(serial.next())")
    let file = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
    try path.removeFile()
    var launch = ProgramLaunch(program, arguments: arguments)
    launch.environment = environment
    launch.descriptors = [nil, file.rawValue, file.rawValue]
    launch.diesWithParent = true
    launch.identity = identity
    launch.workingDirectory = "/tmp"
    let running = try RunningProgram.start(launch)
    let ended = running.hasEnded(within: limit)
    let exit = ended ? running.wait() : running.kill()
    let text = String(decoding: try file.readAll(limit: 1 << 24), as: UTF8.self)
    guard ended else {
      throw SuiteError.commandFailed(
        "\(program) \(arguments.joined(separator: " "))",
        output: "no end; " + text
      )
    }
    return Output(exit: exit, text: text)
  }

  /// The same for a program that must succeed.
  @discardableResult
  static func require(
    _ program: FilePath,
    _ arguments: [String],
    environment: [String: String?] = [:],
    identity: (user: UInt32, group: UInt32)? = nil,
    limit: Duration = .seconds(120)
  ) throws -> String {
    let output = try run(
      program,
      arguments,
      environment: environment,
      identity: identity,
      limit: limit
    )
    guard output.exit.isSuccess else {
      throw SuiteError.commandFailed(
        "\(program) \(arguments.joined(separator: " "))",
        output: output.text
      )
    }
    return output.text
  }

  private static let serial = Serial()
}
