package import FileSystem

/// How a program is started.
package struct ProgramLaunch: Sendable {
  /// Limits of the program's use of the machine; nil leaves what this process has.
  package struct Limits: Equatable, Sendable {
    /// Bytes of address space (`RLIMIT_AS`).
    package var addressSpace: UInt64?
    /// Bytes of memory that it writes to and shares with nobody (`RLIMIT_DATA`): what allocators hold
    /// and threads' stacks, but not address space that is only reserved.
    package var data: UInt64?
    /// Bytes of a file that it writes (`RLIMIT_FSIZE`); more is `EFBIG`.
    package var fileSize: UInt64?
    /// Whether a crash may write a core dump.
    package var allowsCoreDump: Bool

    package init(
      addressSpace: UInt64? = nil,
      data: UInt64? = nil,
      fileSize: UInt64? = nil,
      allowsCoreDump: Bool = true
    ) {
      self.addressSpace = addressSpace
      self.data = data
      self.fileSize = fileSize
      self.allowsCoreDump = allowsCoreDump
    }
  }

  /// The file of the program; `PATH` is not searched.
  package var program: FilePath
  /// What the program sees as its own name (`argv[0]`); by default its path.
  package var name: String?
  /// Arguments after the program's name, as bytes: paths among them need not be UTF-8.
  package var arguments: [[UInt8]]
  /// Variables that differ from this process's; nil removes one.
  package var environment: [String: String?] = [:]
  package var workingDirectory: FilePath?
  /// What becomes descriptor 0, 1, 2 … of the program; nil is `/dev/null`; all others are closed.
  ///
  /// The numbers are borrowed: they stay open here.
  package var descriptors: [Int32?] = [0, 1, 2]
  /// Whether the kernel kills the program when this process ends, however it ends.
  package var diesWithParent = false
  /// Whether it gets a process group of its own, out of reach of the terminal's Ctrl-C.
  package var hasOwnGroup = false
  package var limits = Limits()
  /// The user and group ids to run as; this needs root.
  package var identity: (user: UInt32, group: UInt32)?

  package init(_ program: FilePath, arguments: [[UInt8]]) {
    self.program = program
    self.arguments = arguments
  }

  package init(_ program: FilePath, arguments: [String] = []) {
    self.program = program
    self.arguments = arguments.map { Array($0.utf8) }
  }
}
