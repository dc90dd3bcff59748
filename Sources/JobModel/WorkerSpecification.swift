/// What a worker says of itself when it registers.
package struct WorkerSpecification: Equatable, Sendable {
  package var host: String
  /// The kernel's boot identifier, so that a process identifier means something after a restart.
  package var bootID: String
  package var processID: Int32
  /// Start time of the process in clock ticks since boot (field 22 of `/proc/PID/stat`).
  package var processStartTicks: Int64
  package var version: String
  package var slots: Int
  package var threads: Int
  /// The names of the roots that it can reach, the host root included.
  package var roots: Set<String>
  /// What it allows its children; nil: any number of bytes.
  package var memory: MemoryShare?

  package init(
    host: String,
    bootID: String,
    processID: Int32,
    processStartTicks: Int64,
    version: String,
    slots: Int,
    threads: Int,
    roots: Set<String> = [FileLocation.hostRoot],
    memory: MemoryShare? = nil
  ) {
    self.host = host
    self.bootID = bootID
    self.processID = processID
    self.processStartTicks = processStartTicks
    self.version = version
    self.slots = slots
    self.threads = threads
    self.roots = roots
    self.memory = memory
  }
}
