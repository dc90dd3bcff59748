internal import Digest
internal import Discovery
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// `rawmill audit`: are recorded files still what they were.
enum AuditCommand: Command {
  static let target = Positional(
    "batch|folder",
    .path,
    "The number of a batch, or a folder with outputs or kept originals."
  )
  static let manifest = Option(
    "--manifest",
    "file",
    .path,
    "Writes the SHA-256 of every intact file, as in BagIt's manifest-sha256.txt."
  )
  static let rate = Option(
    "--rate",
    "MB/s",
    .integer(1...100_000),
    "Reads no more than so many megabytes a second."
  )
  static let restart = Flag(
    "--restart",
    "Look at everything again, also after an interrupted audit."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("audit", "Read outputs and kept originals again, and compare their digests.")
      .discussion(
        """
        Every recorded output and every original that a replacement keeps is read and compared \
        with its recorded SHA-256. Missing and changed files are listed, and so are files that \
        rawmill did not write in folders that hold nothing but its own. An audit that was \
        interrupted goes on where it was when it is called again.

        Exit code 0 if every recorded file is intact, else 1; foreign files do not count.
        """
      )
      .positional(target).option(manifest).option(rate).flag(restart).option(CommonOptions.root)
      .option(CommonOptions.database).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let roots = try RootOptions.map(arguments)
    let target = try arguments.requireValue(target)
    let path = try wrappingFiles { () throws(SystemError) in try target.absolute() }
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let events = program.events(arguments)
    let (scope, folder) = try scope(target, path, roots, store)
    var audit = Audit(
      scope,
      roots: roots,
      store: store,
      bytesPerSecond: arguments[rate].map { Int64($0) * 1_000_000 }
    )
    try audit.run(restarts: arguments[restart]) { finding in
      let place = finding.path?.displayText ?? finding.file.location.description
      let detail = finding.detail.isEmpty ? "" : ": \(finding.detail)"
      let kind = finding.file.isOriginal ? "original" : "output"
      program.log.error("\(place): \(kind) \(finding.result)\(detail)")
      events.emit(
        "\(finding.result)",
        [
          "path": .string(place), "kind": .string(kind), "detail": .string(finding.detail),
          "sha256": .string(finding.file.sha256.hex),
        ]
      )
    }
    let foreign = try foreignFiles(audit, folder, roots, store)
    for file in foreign { events.emit("foreign", ["path": .init(file)]) }
    if let manifest = arguments[manifest] {
      let base = folder ?? Manifest.base(of: audit.verified)
      try Manifest.write(Manifest.bytes(of: audit.verified, base: base), to: manifest)
    }
    report(audit, foreign, events, program)
    return audit.findings.isEmpty ? .success : .someFailed
  }

  private static func scope(
    _ target: FilePath,
    _ path: FilePath,
    _ roots: RootMap,
    _ store: JobStore
  ) throws(ProgramError) -> (AuditScope, folder: FilePath?) {
    let status = try wrappingFiles { () throws(SystemError) in try path.statusIfExists() }
    if status == nil, let number = Int64(target.displayText) {
      let batch = BatchID(rawValue: number)
      try wrappingQueue { () throws(JobStoreError) in _ = try store.batch(batch) }
      return (.batch(batch), nil)
    }
    // A folder that is gone is audited all the same: everything in it is missing.
    return (.folder(roots.locations(of: path) + roots.locations(inside: path)), path)
  }

  /// Files that no record names: everywhere in an audited folder; of a batch, in the folders of its
  /// outputs.
  private static func foreignFiles(
    _ audit: Audit,
    _ folder: FilePath?,
    _ roots: RootMap,
    _ store: JobStore
  ) throws(ProgramError) -> [FilePath] {
    var paths: [FilePath] = []
    if let folder {
      paths = FolderWalk([folder]).files.map(\.path)
    } else {
      for folder in audit.folders.sorted() {
        // A folder that can't be read has its files reported as missing.
        for entry in (try? folder.directoryEntries()) ?? []
        where entry.kind == .file && !entry.name.isHidden {
          paths.append(folder.appending(component: entry.name.bytes))
        }
      }
    }
    let locations = paths.flatMap { path in roots.locations(of: path).map { (path, $0) } }
    let recorded = try wrappingQueue { () throws(JobStoreError) in
      try store.recorded(at: locations.map(\.1))
    }
    let known = Set(recorded.map { locations[$0].0 })
    return paths.filter { !known.contains($0) }
  }

  private static func report(
    _ audit: Audit,
    _ foreign: [FilePath],
    _ events: EventStream,
    _ program: Program
  ) {
    let missing = audit.findings.count { $0.result == .missing }
    let changed = audit.findings.count { $0.result == .changed }
    if events.isEnabled {
      events.emit(
        "finished",
        [
          "intact": .init(audit.intact), "missing": .init(missing), "changed": .init(changed),
          "foreign": .init(foreign.count), "bytes": .init(audit.bytes),
          "lookedAtBefore": .init(audit.lookedAtBefore),
        ]
      )
      return
    }
    var table = TextTable([("", .leading), ("", .trailing), ("", .leading)])
    let before = audit.lookedAtBefore
    table.add([
      "intact", String(audit.intact),
      "\(Quantity.bytes(audit.bytes)) read" + (before > 0 ? ", \(before) before" : ""),
    ])
    if missing > 0 { table.add(["missing", String(missing), ""]) }
    if changed > 0 { table.add(["changed", String(changed), ""]) }
    if foreign.count > 0 {
      table.add(["foreign", String(foreign.count), "not written by rawmill"])
    }
    for line in table.lines() { program.standardOutput.writeLine(line) }
    for file in foreign.prefix(20) { program.standardOutput.writeLine("  \(file)") }
    if foreign.count > 20 {
      program.standardOutput.writeLine("  and \(foreign.count - 20) more; --json lists all")
    }
  }
}
