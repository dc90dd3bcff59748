internal import Diagnostics
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime
internal import Worker

/// `rawmill restore`: puts kept originals back.
enum RestoreCommand: Command {
  static let targets = Positional(
    "batch|file",
    .path,
    isRepeatable: true,
    "The number of a batch that replaced originals, or replaced files."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("restore", "Put originals back that run --replace has kept.")
      .discussion(
        """
        Each kept original is read and compared with its recorded digest before it takes its \
        place again. A file that was changed since it was replaced stays, and is reported; so does \
        a kept original that is missing or another. The call may be repeated at any time.

        Exit code 0 only if every original stands in its place.
        """
      )
      .positional(targets).option(CommonOptions.root).option(CommonOptions.database)
      .flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let roots = try RootOptions.map(arguments)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let events = program.events(arguments)
    var counts = Counts()
    for target in arguments.all(targets) {
      let replacements = try find(target, roots, store)
      if replacements.isEmpty {
        counts.failed += 1
        program.log.error("\(target): nothing was replaced there [noReplacement]")
      }
      for replacement in replacements where !replacement.isRestored {
        restore(replacement, roots, store, program, events, &counts)
      }
    }
    if events.isEnabled {
      events.emit(
        "finished",
        [
          "restored": .init(counts.restored), "wereThere": .init(counts.wereThere),
          "notKept": .init(counts.notKept), "failed": .init(counts.failed),
        ]
      )
    } else {
      program.standardOutput.writeLine(counts.text)
    }
    return counts.failed + counts.notKept == 0 ? .success : .someFailed
  }

  private struct Counts {
    var restored = 0
    var wereThere = 0
    /// Replaced with --delete-originals.
    var notKept = 0
    var failed = 0

    var text: String {
      var parts = ["\(Quantity.count(restored, "original")) restored"]
      if wereThere > 0 { parts.append("\(wereThere) were there") }
      if notKept > 0 { parts.append("\(notKept) not kept") }
      if failed > 0 { parts.append("\(failed) failed") }
      return parts.joined(separator: ", ")
    }
  }

  /// The replacements of a batch, or of one file: the newest that has not been restored.
  private static func find(
    _ target: FilePath,
    _ roots: RootMap,
    _ store: JobStore
  ) throws(ProgramError) -> [KnownReplacement] {
    let path = try wrappingFiles { () throws(SystemError) in try target.absolute() }
    if let number = Int64(target.displayText), (try? path.statusIfExists()) == .some(nil) {
      return try wrappingQueue { () throws(JobStoreError) in
        let batch = BatchID(rawValue: number)
        _ = try store.batch(batch)
        var all: [KnownReplacement] = []
        while true {
          let page = try store.replacements(of: batch, after: all.last?.job)
          if page.isEmpty { return all }
          all += page
        }
      }
    }
    let known = try wrappingQueue { () throws(JobStoreError) in
      try store.replacements(at: roots.locations(of: path))
    }
    return known.last { !$0.isRestored }.map { [$0] } ?? known.suffix(1)
  }

  private static func restore(
    _ replacement: KnownReplacement,
    _ roots: RootMap,
    _ store: JobStore,
    _ program: Program,
    _ events: EventStream,
    _ counts: inout Counts
  ) {
    let record = replacement.record
    let place = record.original.file.location
    func fail(_ code: ErrorCode, _ message: String) {
      counts.failed += 1
      program.log.error("\(place): \(message) [\(code)]")
      events.emit(
        "restoreFailed",
        [
          "file": .string(place.description), "code": .string(code.rawValue),
          "message": .string(message),
        ]
      )
    }
    guard let location = record.kept else {
      counts.notKept += 1
      program.log.error("\(place): its original was not kept [originalNotKept]")
      return
    }
    do throws(JobStoreError) {
      if let job = try store.specifications(of: [replacement.job])[replacement.job], job.isLive {
        return fail("jobLive", "a job still works on it: let it finish, or cancel its batch")
      }
      guard let path = roots.path(of: place), let kept = roots.path(of: location) else {
        return fail(
          "rootNotMounted",
          "give the folders of the roots \(place.root) and \(location.root) with --root"
        )
      }
      let restoration = Restoration(
        original: path,
        kept: kept,
        originalSHA256: record.original.sha256,
        replacementSHA256: record.sha256,
        job: "\(replacement.job)"
      )
      do throws(WorkerError) {
        switch try restoration.restore() {
        case .restored: counts.restored += 1
        case .wasThere: counts.wereThere += 1
        }
      } catch {
        return fail(error.code, error.message)
      }
      try store.markRestored(replacement.job)
      events.emit("restored", ["file": .string(place.description), "path": .init(path)])
    } catch {
      fail(error.code, error.message)
    }
  }
}
