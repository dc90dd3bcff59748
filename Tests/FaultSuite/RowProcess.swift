internal import FileSystem
internal import ProcessControl

/// A row that another process of the suite runs, with a server of its own.
final class RowProcess {
  let name: String
  private var running: RunningProgram?
  private let output: FileDescriptor

  /// Calls this program for one row, with the options of this call.
  init(_ row: FaultRow, _ options: Options) throws {
    name = row.name
    let path = FilePath("/tmp/rawmill-faults-\(SystemInformation.processID)-\(row.name)")
    output = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
    try path.removeFile()
    var arguments = ["run", row.name, "--part", "--seed", "\(options.seed)"]
    arguments += ["--rawmill", options.rawmill.displayText, "--source", options.source.displayText]
    if options.isLong { arguments.append("--long") }
    if options.isJSON { arguments.append("--json") }
    if let folder = options.keepsHistory { arguments += ["--history", folder.displayText] }
    var launch = ProgramLaunch(try SystemInformation.executablePath(), arguments: arguments)
    launch.descriptors = [nil, output.rawValue, output.rawValue]
    launch.diesWithParent = true
    let program = try RunningProgram.start(launch)
    running = consume program
  }

  /// What it printed and whether it passed, once it has ended.
  func result() throws -> (text: String, isPassed: Bool)? {
    guard let program = running.take() else { return nil }
    guard program.hasEnded(within: .milliseconds(20)) else {
      running = consume program
      return nil
    }
    let exit = program.wait()
    let text = String(decoding: try output.readAll(limit: 1 << 24), as: UTF8.self)
    return (text.isEmpty ? "FAILED  \(name): \(exit.reason)" : text, exit.isSuccess)
  }
}
