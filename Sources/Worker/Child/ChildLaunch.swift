package import DNGFormat
package import FileSystem
package import ProcessControl

/// How a child process is started.
package struct ChildLaunch: Sendable {
  /// The program; by default the running one, even after its file was replaced.
  package var program: FilePath
  package var arguments: [String]
  package var limits: ProgramLaunch.Limits
  /// Bytes of memory for what it renders; nil: any number.
  package var memory: Int64?
  /// How long the child may take until it answers the first message.
  package var helloTimeout: Duration

  package init(
    program: FilePath = "/proc/self/exe",
    arguments: [String] = ["child"],
    limits: ProgramLaunch.Limits = ChildLaunch.defaultLimits,
    helloTimeout: Duration = .seconds(30)
  ) {
    self.program = program
    self.arguments = arguments
    self.limits = limits
    self.helloTimeout = helloTimeout
  }

  /// Starts the running program as a child that takes wrong digests so.
  package init(digestPolicy: DigestPolicy) {
    self.init(arguments: ["child", "--digest-policy", digestPolicy.rawValue])
  }

  /// What a child has before it renders anything, in bytes: its stacks and its libraries' data.
  static let ownMemory: Int64 = 64 << 20

  /// A net against absurd sizes, far above what a render uses: threads and allocators reserve much
  /// more address space than they touch.
  package static let defaultLimits = ProgramLaunch.Limits(
    addressSpace: 64 << 30,
    fileSize: 16 << 30,
    allowsCoreDump: false
  )
}
