internal import CLinux
internal import FileSystem
internal import Glibc
package import JSON
internal import ProcessControl
internal import Synchronization

/// A child process from the worker's side.
///
/// One thread at a time holds the conversation; any thread may interrupt it. After anything but a
/// failure that the child reports itself, the child is dead and waited for.
package final class ChildProcess: Sendable {
  /// What a child says while it works.
  package enum Event: Equatable, Sendable {
    case stage(String)
    case progress(Double)
  }

  /// The answer to a request.
  package struct Answer: Sendable {
    package let value: JSONValue
    /// The child's largest resident size so far, in bytes.
    package let peakBytes: Int64
  }

  private let channel: MessageChannel
  private let lastWords: ChildLastWords
  /// Bytes of memory that the child is allowed; 0: any.
  private let memoryLimit: Int64
  private let processID: Int32
  private let program: Locked<RunningProgram?>
  private let isInterrupted = Atomic(false)

  private init(
    channel: MessageChannel,
    lastWords: ChildLastWords,
    memoryLimit: Int64,
    program: consuming RunningProgram
  ) {
    self.channel = channel
    self.lastWords = lastWords
    self.memoryLimit = memoryLimit
    processID = program.processID
    self.program = Locked(program)
  }

  /// Starts a child and exchanges versions with it.
  ///
  /// `spawned` gets the child before it has said a word, so that others can interrupt it from then on.
  package static func start(
    _ launch: ChildLaunch,
    spawned: (ChildProcess) -> Void = { _ in }
  ) throws(WorkerError) -> ChildProcess {
    // The other ends are closed here when `spawn` returns: the child's death then closes the last.
    let child = try spawn(launch)
    spawned(child)
    try child.exchangeHello(timeout: launch.helloTimeout)
    return child
  }

  private static func spawn(_ launch: ChildLaunch) throws(WorkerError) -> ChildProcess {
    let (channel, otherEnd) = try pair()
    let (lastWords, errorEnd) = try ChildLastWords.make()
    var program = ProgramLaunch(launch.program, arguments: launch.arguments)
    program.name = "rawmill"
    // A backtrace takes seconds and says more about the build than about the input.
    program.environment = ["SWIFT_BACKTRACE": "enable=no"]
    // Nor does what parses foreign bytes need to know a password.
    for name in ["RAWMILL_DATABASE_URL", "PGPASSWORD", "PGPASSFILE"] {
      program.environment[name] = .some(nil)
    }
    program.descriptors = [
      nil, errorEnd.descriptor.rawValue, errorEnd.descriptor.rawValue,
      otherEnd.descriptor.rawValue,
    ]
    program.diesWithParent = true
    program.hasOwnGroup = true
    program.limits = launch.limits
    do throws(SystemError) {
      let running = try RunningProgram.start(program)
      withExtendedLifetime((otherEnd, errorEnd)) {}
      return ChildProcess(
        channel: channel,
        lastWords: lastWords,
        memoryLimit: launch.memory ?? 0,
        program: running
      )
    } catch {
      throw .childNotStarted(error)
    }
  }

  private static func pair() throws(WorkerError) -> (MessageChannel, OpenFile) {
    do throws(ChannelError) {
      return try MessageChannel.pair()
    } catch {
      throw .childProtocol(error)
    }
  }

  private func exchangeHello(timeout: Duration) throws(WorkerError) {
    let deadline = SystemInformation.monotonicTime + timeout
    do throws(ChannelError) {
      try channel.send(ChildRequest.hello(version: ChildRequest.version).json)
      let answer = try channel.receive(deadline: deadline).value
      guard case .hello(let version) = try ChildResponse(json: answer) else {
        throw .unexpected(type: answer["type"]?.stringValue ?? "")
      }
      guard version == ChildRequest.version else {
        throw .version(version, supported: ChildRequest.version)
      }
    } catch {
      throw ended(by: error, stage: nil, limit: timeout)
    }
  }

  /// Asks the child and waits for its answer.
  ///
  /// The input is the first of the files, which stay open here. A child that has not answered after
  /// `wallLimit` is killed.
  ///
  /// - Throws: `child` if the child says what is wrong; it can be asked again then. Anything else has
  ///   ended the child.
  package func ask(
    _ request: ChildRequest,
    files: [OpenFile],
    wallLimit: Duration,
    observe: (Event) -> Void = { _ in }
  ) throws(WorkerError) -> Answer {
    let deadline = SystemInformation.monotonicTime + wallLimit
    var stage: String?
    lastWords.discard()
    let killsBefore = OutOfMemoryKills.count
    let watch =
      memoryLimit > 0
      ? MemoryWatch.start(processID, limit: memoryLimit + ChildLaunch.ownMemory) : nil
    let answer: Result<Answer, RemoteFailure>
    do throws(ChannelError) {
      try channel.send(request.json, files: files)
      answer = try receiveAnswer(deadline) { event in
        if case .stage(let name) = event { stage = name }
        observe(event)
      }
    } catch {
      let hasExceeded = watch?.stop() ?? false
      let failure = ended(by: error, stage: stage, limit: wallLimit, killsBefore: killsBefore)
      guard hasExceeded, case .childCrashed(_, let stage, let words) = failure else {
        throw failure
      }
      throw .childOutOfMemory(limit: memoryLimit, stage: stage, lastWords: words)
    }
    // Killed just after its answer: nobody can ask it again.
    if watch?.stop() == true {
      _ = reap(grace: .zero)
      throw .childOutOfMemory(limit: memoryLimit, stage: stage, lastWords: lastWords.read().text)
    }
    do throws(RemoteFailure) {
      return try answer.get()
    } catch {
      throw .child(error)
    }
  }

  private func receiveAnswer(
    _ deadline: Duration,
    observe: (Event) -> Void
  ) throws(ChannelError) -> Result<Answer, RemoteFailure> {
    while true {
      let (message, files) = try channel.receive(deadline: deadline)
      guard files.isEmpty else { throw .descriptorCount(expected: 0, received: files.count) }
      switch try ChildResponse(json: message) {
      case .hello: throw .unexpected(type: "hello")
      case .stage(let name): observe(.stage(name))
      case .progress(let fraction): observe(.progress(fraction))
      case .result(let value, let peak): return .success(Answer(value: value, peakBytes: peak))
      case .failure(let failure): return .failure(failure)
      }
    }
  }

  /// Stops whatever the child does, from any thread: `ask` throws `interrupted`.
  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    channel.shutDown()
  }

  /// Hangs up; a child that does not end by itself within `grace` is killed.
  ///
  /// - Returns: The CPU time that the child had used; zero if it had ended before.
  @discardableResult
  package func end(grace: Duration = .seconds(2)) -> Duration {
    channel.shutDown()
    guard let exit = reap(grace: grace) else { return .zero }
    return exit.userTime + exit.systemTime
  }

  /// Ends the child after a failure of the conversation, and says what happened.
  private func ended(
    by error: ChannelError,
    stage: String?,
    limit: Duration,
    killsBefore: Int64? = nil
  ) -> WorkerError {
    if isInterrupted.load(ordering: .sequentiallyConsistent) {
      _ = reap(grace: .zero)
      return .interrupted
    }
    switch error {
    case .closed:
      // The kernel closes the socket while the process is still ending.
      guard let exit = reap(grace: .seconds(2)) else { return .childProtocol(.closed) }
      let words = lastWords.read()
      let wasKilled =
        exit.reason == .signal(SIGKILL)
        && OutOfMemoryKills.hasRisen(since: killsBefore)
      if words.tellsOfMemory || wasKilled {
        return .childOutOfMemory(limit: memoryLimit, stage: stage, lastWords: words.text)
      }
      return .childCrashed(exit.reason, stage: stage, lastWords: words.text)
    case .timedOut:
      _ = reap(grace: .zero)
      return .wallLimitExceeded(seconds: limit.components.seconds, stage: stage)
    default:
      _ = reap(grace: .zero)
      return .childProtocol(error)
    }
  }

  /// Waits for the end of the child, and kills it after `grace`; nothing if that was done before.
  private func reap(grace: Duration) -> ProgramExit? {
    program.withLock { program in
      guard let running = program.take() else { return nil }
      return running.hasEnded(within: grace) ? running.wait() : running.kill()
    }
  }
}
