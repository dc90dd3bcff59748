internal import FileSystem
internal import JSON
internal import ProcessControl

/// A program of `Tests/Oracles` that measures other programs, by the interpreter of RAWMILL_ORACLE_PYTHON.
enum PeerProgram {
  /// Runs a program that prints objects, one a line.
  ///
  /// - Parameters:
  ///   - script: The program's file name.
  ///   - arguments: What it takes.
  ///   - scratch: A folder of the caller's, where no other peers have run.
  /// - Returns: The objects.
  /// - Throws: `BenchError.peers` where there is no interpreter or where the program fails.
  static func run(
    _ script: String,
    _ arguments: [[UInt8]],
    scratch: FilePath
  ) throws -> [JSONValue] {
    guard let interpreter = SystemInformation.environment("RAWMILL_ORACLE_PYTHON") else {
      throw BenchError.peers("no peers: set RAWMILL_ORACLE_PYTHON to their Python interpreter")
    }
    let path = FilePath(#filePath).parent.parent.parent.appending(
      FilePath("Tests/Oracles/\(script)")
    )
    let file = try FileDescriptor.open(
      scratch.appending(FilePath("\(script).output")),
      .readWriteExclusively(permissions: 0o600)
    )
    var launch = ProgramLaunch(FilePath(interpreter), arguments: [path.bytes] + arguments)
    launch.descriptors = [nil, file.rawValue, 2]
    launch.diesWithParent = true
    let exit = try RunningProgram.start(launch).wait()
    guard exit.isSuccess else { throw BenchError.peers("the peers failed: \(exit.reason)") }
    return try file.readAll(limit: 1 << 24).split(separator: UInt8(ascii: "\n"))
      .map { try JSONParser.parse(Array($0)) }
  }
}
