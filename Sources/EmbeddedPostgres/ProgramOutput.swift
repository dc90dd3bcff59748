internal import CLinux
internal import FileSystem
internal import ProcessControl

/// A server program that ran to its end, and what it printed.
struct ProgramOutput {
  let program: FilePath
  let exit: ProgramExit
  /// The end of its standard output and error, in one.
  let text: String

  /// Bytes of a program's output that are kept: the end, where the reason stands.
  private static let limit: Int64 = 2_048

  /// Runs a program as `user`, out of reach of the terminal's Ctrl-C, with English messages.
  static func run(
    _ program: FilePath,
    _ arguments: [[UInt8]],
    as user: ServerUser?
  ) throws(EmbeddedPostgresError) -> ProgramOutput {
    let number = unsafe rawmill_memory_file("rawmill-output")
    guard number >= 0 else {
      throw .system(SystemError(errorNumber: -number, call: "memfd_create"))
    }
    let output = FileDescriptor(owning: number)
    var launch = ProgramLaunch(program, arguments: arguments)
    launch.descriptors = [nil, output.rawValue, output.rawValue]
    launch.workingDirectory = "/"
    launch.hasOwnGroup = true
    launch.environment = ["LC_ALL": "C", "LANGUAGE": nil]
    // The caller's settings for clients and servers of his own are not for this server.
    for name in ["PGDATA", "PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGOPTIONS", "PGTZ"] {
      launch.environment[name] = .some(nil)
    }
    if let user, user.isOther { launch.identity = (user.user, user.group) }
    return try wrappingSystem { () throws(SystemError) in
      let exit = try RunningProgram.start(launch).wait()
      let size = try output.status().size
      let bytes = try output.read(
        count: Int(min(size, limit)),
        at: max(0, size - limit)
      )
      return ProgramOutput(
        program: program,
        exit: exit,
        text: String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
      )
    }
  }

  static func run(
    _ program: FilePath,
    _ arguments: [String],
    as user: ServerUser? = nil
  ) throws(EmbeddedPostgresError) -> ProgramOutput {
    try run(program, arguments.map { Array($0.utf8) }, as: user)
  }

  var isSuccess: Bool { exit.isSuccess }

  /// The error that the failure of this program is.
  ///
  /// `context` is added to what the program printed.
  func failure(_ context: String = "") -> EmbeddedPostgresError {
    .programFailed(
      program: program.displayText,
      reason: "\(exit.reason)",
      output: text + context
    )
  }
}
