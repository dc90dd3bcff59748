internal import FileSystem
internal import Glibc
internal import JSON
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import Rendering
internal import ServiceRuntime

/// `rawmill doctor`: what is wrong with a farm, and what to do about it.
enum DoctorCommand: Command {
  static let wait = Option(
    "--wait",
    "seconds",
    .integer(1...600),
    "Between two looks at batches that should go on; 2 if absent."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("doctor", "Say what is wrong with the farm, and what to do about it.")
      .discussion(
        """
        Looks at the server's settings, sessions, tables and partitions, at batches, leases and \
        workers, at clocks and at the disks that this host can see, and changes nothing. Exit code 0: \
        nothing but notes; 1: warnings or worse.
        """
      )
      .option(wait).option(CommonOptions.root).option(CommonOptions.database)
      .flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let source = try DatabaseSource.find(arguments)
    let roots = try RootOptions.map(arguments)
    let address = try source.start(program.log)
    var isOwnServer = false
    if case .embedded = source { isOwnServer = true }
    let pause = UInt32(arguments[wait] ?? 2)
    let findings = try wrappingQueue { () throws(JobStoreError) in
      let store = try JobStore.open(
        address,
        applicationName: "rawmill doctor",
        accepting: .any
      )
      return try Self.findings(store, roots, isOwnServer: isOwnServer) { _ = sleep(pause) }
    }
    .sorted { $0.severity > $1.severity }
    report(findings, program, program.events(arguments))
    return findings.contains { $0.severity > .note } ? .someFailed : .success
  }

  private static func findings(
    _ store: JobStore,
    _ roots: RootMap,
    isOwnServer: Bool,
    pause: () -> Void
  ) throws(JobStoreError) -> [HealthFinding] {
    let limits = HealthLimits()
    let schema = try store.schemaVersion()
    var findings = try store.settingHealth(isOwnServer: isOwnServer)
    findings += try store.sessionHealth(limits)
    findings += try store.tableHealth(limits)
    guard schema >= Migrator.programVersion else {
      // An older schema lacks columns that the questions are about.
      findings.append(
        HealthFinding(
          .critical,
          "schemaDiffers",
          "the schema has version \(schema), this program needs \(Migrator.programVersion)",
          "run rawmill database migrate"
        )
      )
      return findings
    }
    findings += try store.queueHealth(
      limits,
      programVersion: EngineInformation.version,
      pause: pause
    )
    let (skew, error) = try store.clockSkew()
    findings += JobStore.clockFindings(seconds: skew, error: error)
    return findings + (try diskFindings(store, roots))
  }

  /// Each file system once, by the first folder of it.
  private static func diskFindings(
    _ store: JobStore,
    _ roots: RootMap
  ) throws(JobStoreError) -> [HealthFinding] {
    var folders: [(what: String, path: FilePath)] = []
    if let data = try store.dataFolder() { folders.append(("the database's disk", data)) }
    for location in try store.outputPlaces() {
      guard let path = roots.path(of: location) else { continue }
      folders.append(("the disk of \(path.parent.displayText)", path.parent))
    }
    var findings: [HealthFinding] = []
    var seen: Set<UInt> = []
    for (what, path) in folders {
      guard let space = DiskSpace.of(path), seen.insert(space.device).inserted else { continue }
      findings += JobStore.diskFindings(
        of: what,
        freeBytes: space.freeBytes,
        totalBytes: space.totalBytes,
        // Some file systems count no files.
        freeFiles: space.totalFiles > 0 ? space.freeFiles : nil
      )
    }
    return findings
  }

  private static func report(
    _ findings: [HealthFinding],
    _ program: Program,
    _ events: EventStream
  ) {
    for finding in findings {
      events.emit(
        "finding",
        [
          "severity": .string(finding.severity.rawValue), "code": .string(finding.code),
          "message": .string(finding.message), "advice": .string(finding.advice),
        ]
      )
      guard !events.isEnabled else { continue }
      program.standardOutput.writeLine(
        "\(finding.severity.rawValue): \(TerminalText.harmless(finding.message)) [\(finding.code)]"
      )
      program.standardOutput.writeLine("  \(TerminalText.harmless(finding.advice))")
    }
    let counts = HealthFinding.Severity.allCases.map { severity in
      (severity.rawValue, findings.count { $0.severity == severity })
    }
    events.emit("examined", counts.map { ($0.0, .init($0.1)) })
    if !events.isEnabled, findings.isEmpty {
      program.standardOutput.writeLine("nothing is wrong")
    }
  }
}
