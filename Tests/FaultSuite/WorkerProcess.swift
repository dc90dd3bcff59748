internal import FileSystem
internal import Glibc
internal import ProcessControl

/// A `rawmill worker` that the suite runs.
final class WorkerProcess {
  let name: String
  /// Places are armed by files in it: see Tests/Failpoints.
  let faults: FilePath
  let log: FilePath
  private(set) var processID: Int32
  private var running: RunningProgram?
  /// How it ended; nil while it runs.
  private(set) var exit: ProgramExit?

  init(name: String, faults: FilePath, log: FilePath, _ launch: ProgramLaunch) throws {
    self.name = name
    self.faults = faults
    self.log = log
    try faults.createDirectories(permissions: 0o777)
    let output = try FileDescriptor.open(log, .readWriteCreating(permissions: 0o644))
    var launch = launch
    // Appended by the kernel's offset: several lives of one worker write one after the other.
    launch.descriptors = [nil, output.rawValue, output.rawValue]
    launch.diesWithParent = true
    launch.hasOwnGroup = true
    let running = try RunningProgram.start(launch)
    processID = running.processID
    self.running = consume running
  }

  deinit { kill() }

  /// Whether it still runs.
  var isRunning: Bool {
    guard let process = running.take() else { return false }
    if process.hasEnded(within: .zero) {
      exit = process.wait()
      return false
    }
    running = consume process
    return true
  }

  func send(_ signal: Int32) {
    if isRunning { _ = Glibc.kill(processID, signal) }
  }

  /// To the worker and the children in its group.
  func sendGroup(_ signal: Int32) {
    if isRunning { _ = Glibc.kill(-processID, signal) }
  }

  func kill() {
    guard let process = running.take() else { return }
    exit = process.kill()
  }

  /// Has it stop, and waits for that.
  func stop(limit: Duration = .seconds(40)) throws {
    guard isRunning else { return }
    send(SIGCONT)
    send(SIGTERM)
    try Wait.until("the end of worker \(name)", limit: limit) { !isRunning }
  }

  /// Arms a place in this worker and its children.
  func arm(_ place: String, _ action: String) throws {
    let hidden = faults.appending(FilePath(".\(place)"))
    let file = try FileDescriptor.open(hidden, .readWriteCreating(permissions: 0o666))
    try file.truncate(to: 0)
    try file.write(Array(action.utf8))
    try hidden.rename(replacing: faults.appending(FilePath(place)))
  }

  func disarm(_ place: String) throws {
    try faults.appending(FilePath(place)).removeFileIfExists()
  }

  func disarmAll() throws {
    for entry in try faults.directoryEntries() {
      try faults.appending(entry.name).removeFileIfExists()
    }
  }

  func isArmed(_ place: String) throws -> Bool {
    try faults.appending(FilePath(place)).statusIfExists() != nil
  }

  /// Processor time of the worker itself.
  func processorTime() -> Duration {
    guard let file = try? FileDescriptor.open(FilePath("/proc/\(processID)/stat"), .read),
      let bytes = try? file.read(count: 4096)
    else { return .zero }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return .zero }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 13, let user = Int64(fields[12]), let system = Int64(fields[13]) else {
      return .zero
    }
    // Clock ticks of 10 ms (USER_HZ is 100 on every Linux architecture that matters here).
    return .milliseconds(10 * (user + system))
  }
}
