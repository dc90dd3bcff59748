internal import CLinux
package import FileSystem
internal import Glibc

/// A program that this process started and has to wait for.
///
/// The value owns the process id: until it is waited for, the kernel gives the number to nobody else,
/// so a signal can't hit a stranger. A value that ends without a wait kills the program.
package struct RunningProgram: ~Copyable, Sendable {
  /// The process id.
  package let processID: Int32

  private init(processID: Int32) {
    self.processID = processID
  }

  deinit {
    var ended = rawmill_exit()
    _ = rawmill_kill(processID, SIGKILL)
    _ = unsafe rawmill_wait_process(processID, 1, &ended)
  }

  /// Starts a program.
  ///
  /// - Throws: The error of the step that failed; `ENOENT` or `EACCES` of `execve` for a missing program.
  package static func start(_ launch: ProgramLaunch) throws(SystemError) -> RunningProgram {
    let arguments = [launch.name.map { Array($0.utf8) } ?? launch.program.bytes] + launch.arguments
    let environment = mergedEnvironment(launch.environment)
    guard
      (arguments + environment + [launch.program.bytes, launch.workingDirectory?.bytes ?? [1]])
        .allSatisfy({ !$0.contains(0) })
    else { throw SystemError(errorNumber: EINVAL, call: "execve", path: launch.program) }
    let descriptors = launch.descriptors.map { $0 ?? -1 }
    var process: pid_t = 0
    let paths = [launch.program.bytes, launch.workingDirectory?.bytes ?? []]
    let result: Int32 = unsafe withCStrings(arguments) { argumentPointers in
      unsafe withCStrings(environment) { environmentPointers in
        unsafe withCStrings(paths) { paths in
          unsafe descriptors.withUnsafeBufferPointer { numbers in
            var specification = unsafe rawmill_spawn()
            unsafe specification.path = UnsafePointer(paths[0])
            unsafe specification.arguments = UnsafePointer(argumentPointers)
            unsafe specification.environment = UnsafePointer(environmentPointers)
            if launch.workingDirectory != nil {
              unsafe specification.directory = UnsafePointer(paths[1])
            }
            unsafe specification.descriptors = numbers.baseAddress
            unsafe specification.descriptor_count = Int32(numbers.count)
            unsafe specification.dies_with_parent = launch.diesWithParent ? 1 : 0
            unsafe specification.own_group = launch.hasOwnGroup ? 1 : 0
            unsafe specification.address_space_limit = launch.limits.addressSpace ?? 0
            unsafe specification.data_limit = launch.limits.data ?? 0
            unsafe specification.file_size_limit = launch.limits.fileSize ?? 0
            unsafe specification.no_core = launch.limits.allowsCoreDump ? 0 : 1
            unsafe specification.user = launch.identity.map { Int64($0.user) } ?? -1
            unsafe specification.group = launch.identity.map { Int64($0.group) } ?? -1
            return unsafe rawmill_spawn_process(&specification, &process)
          }
        }
      }
    }
    guard result >= 0 else {
      throw SystemError(errorNumber: -result, call: "execve", path: launch.program)
    }
    return RunningProgram(processID: process)
  }

  /// Sends a signal; to a program that has ended already it does nothing.
  package borrowing func send(signal: Int32) {
    // The id is ours until the wait, so the only failure is a program of another user.
    _ = rawmill_kill(processID, signal)
  }

  /// Waits for the end.
  package consuming func wait() -> ProgramExit {
    let process = processID
    discard self
    return RunningProgram.reap(process)
  }

  /// Kills the program and waits for its end.
  package consuming func kill() -> ProgramExit {
    send(signal: SIGKILL)
    return wait()
  }

  /// Whether the program has ended, after at most `timeout`; `wait` returns at once then.
  package borrowing func hasEnded(within timeout: Duration) -> Bool {
    let milliseconds = Int32(clamping: Int64(timeout / .milliseconds(1)))
    return rawmill_wait_ended(processID, milliseconds) == 1
  }

  private static func reap(_ process: Int32) -> ProgramExit {
    var ended = rawmill_exit()
    let result = unsafe rawmill_wait_process(process, 1, &ended)
    // ECHILD: somebody set SIGCHLD to "ignore". The program has ended; how is not known.
    guard result == 1 else { return ProgramExit(reason: .signal(SIGKILL)) }
    return ProgramExit(
      reason: ended.exited != 0 ? .code(ended.value) : .signal(ended.value),
      userTime: .microseconds(ended.user_microseconds),
      systemTime: .microseconds(ended.system_microseconds),
      peakBytes: ended.peak_bytes
    )
  }
}

/// The variables of this process with `changes`, as `NAME=value` bytes in a stable order.
private func mergedEnvironment(_ changes: [String: String?]) -> [[UInt8]] {
  var variables: [[UInt8]] = []
  var next = unsafe rawmill_environment()
  while let entry = unsafe next?.pointee {
    let bytes = unsafe UnsafeBufferPointer(start: entry, count: strlen(entry))
      .map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    if changes[name] == nil { variables.append(bytes) }
    unsafe next = next?.advanced(by: 1)
  }
  for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
    if let value { variables.append(Array("\(name)=\(value)".utf8)) }
  }
  return variables
}

/// Lends byte strings as a NULL-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [[UInt8]],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var offsets: [Int] = []
  var bytes: [CChar] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes += string.map { CChar(bitPattern: $0) }
    bytes.append(0)
  }
  return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    // Every offset lies within the buffer, which outlives the call.
    var pointers = unsafe offsets.map { offset in
      unsafe buffer.baseAddress.map { unsafe $0 + offset }
    }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeMutableBufferPointer { list in
      // `pointers` has at least the terminator, so it has an address.
      guard let base = list.baseAddress else { preconditionFailure("an array without an address") }
      return unsafe body(base)
    }
  }
}
