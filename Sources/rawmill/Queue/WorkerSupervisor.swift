internal import FileSystem
internal import Glibc
internal import ProcessControl
internal import ServiceRuntime

/// A worker process of `run`'s own, which is started again when it dies.
struct WorkerSupervisor: ~Copyable {
  /// What became of the worker since the last look.
  enum Change: Equatable {
    case none
    /// It died, and another was started or will be.
    case restarted(ProgramExit)
    /// It ends right after its start again and again.
    case givenUp(ProgramExit)
  }

  /// Deaths within `quickEnd` of the start after which no other is started.
  private static let quickEndLimit = 5
  private static let quickEnd = Duration.seconds(10)

  private let launch: ProgramLaunch
  private var process: RunningProgram?
  private var started = Duration.zero
  private var quickEnds = 0
  /// When the next is started, after one that died.
  private var nextStart: Duration?

  /// Starts a worker with these arguments and database.
  init(
    arguments: [[UInt8]],
    databaseURL: String?
  ) throws(SystemError) {
    // The running program itself, even if its file is replaced meanwhile.
    var launch = ProgramLaunch("/proc/self/exe", arguments: arguments)
    launch.name = "rawmill"
    // By environment, because arguments are visible to every user of the machine.
    if let databaseURL { launch.environment[DatabaseSource.environmentName] = databaseURL }
    launch.descriptors = [nil, nil, 2]
    launch.diesWithParent = true
    launch.hasOwnGroup = true
    self.launch = launch
    started = SystemInformation.monotonicTime
    process = try RunningProgram.start(launch)
  }

  /// Waits a while, and sees to it that a worker runs.
  mutating func watch(for duration: Duration) throws(SystemError) -> Change {
    if let nextStart {
      let wait = min(duration, max(.zero, nextStart - SystemInformation.monotonicTime))
      usleep(UInt32(wait / .microseconds(1)))
      if SystemInformation.monotonicTime >= nextStart {
        self.nextStart = nil
        started = SystemInformation.monotonicTime
        process = try RunningProgram.start(launch)
      }
      return .none
    }
    guard let running = process.take() else { return .none }
    guard running.hasEnded(within: duration) else {
      process = consume running
      return .none
    }
    let exit = running.wait()
    let now = SystemInformation.monotonicTime
    quickEnds = now - started < Self.quickEnd ? quickEnds + 1 : 0
    guard quickEnds < Self.quickEndLimit else { return .givenUp(exit) }
    // At once after a long life, else 0.5, 1, 2 … seconds later.
    nextStart = now + (quickEnds == 0 ? .zero : .milliseconds(250 << quickEnds))
    return .restarted(exit)
  }

  /// Lets the worker finish or give back what it has; kills it if that takes longer than `patience`,
  /// or when `isUrgent` says so.
  mutating func stop(patience: Duration, isUrgent: () -> Bool) {
    guard let running = process.take() else { return }
    running.send(signal: 15)
    let end = SystemInformation.monotonicTime + patience
    var wasUrgent = false
    while SystemInformation.monotonicTime < end {
      if running.hasEnded(within: .milliseconds(100)) {
        _ = running.wait()
        return
      }
      if isUrgent(), !wasUrgent {
        wasUrgent = true
        running.send(signal: 15)
      }
    }
    _ = running.kill()
  }
}
