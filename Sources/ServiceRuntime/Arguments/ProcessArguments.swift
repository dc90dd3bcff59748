internal import Glibc

/// The arguments that this process was called with.
package enum ProcessArguments {
  /// The bytes of each argument after the program's name: paths need not be valid UTF-8, which
  /// `CommandLine.arguments` would repair.
  package static var bytes: [[UInt8]] {
    let count = Int(CommandLine.argc)
    return (0..<count).dropFirst().map { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
      // A C string of the process's start, never changed.
      let length = unsafe strlen(argument)
      return unsafe argument.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
        unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
      }
    }
  }
}
