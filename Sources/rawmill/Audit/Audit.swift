internal import Digest
internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime
internal import Worker

/// Reads recorded files again and compares them with their records.
struct Audit {
  /// A recorded file that is not as recorded.
  struct Finding {
    var file: AuditedFile
    var path: FilePath?
    var result: AuditResult
    var detail: String
  }

  private let scope: AuditScope
  private let roots: RootMap
  private let store: JobStore
  private let clock: () -> Duration
  private var rate: ReadingRate
  private(set) var intact = 0
  private(set) var bytes: Int64 = 0
  /// Files that an earlier, interrupted call had looked at.
  private(set) var lookedAtBefore = 0
  private(set) var findings: [Finding] = []
  /// What stands as recorded, for the manifest.
  private(set) var verified: [(path: FilePath, sha256: SHA256Digest)] = []
  /// Folders of the recorded files, and whether an input was replaced in them.
  private(set) var folders: Set<FilePath> = []

  /// What it finds goes into the database in groups that `clock`, which only goes forward, limits.
  init(
    _ scope: AuditScope,
    roots: RootMap,
    store: JobStore,
    bytesPerSecond: Int64?,
    clock: @escaping () -> Duration = { SystemInformation.monotonicTime }
  ) {
    self.scope = scope
    self.roots = roots
    self.store = store
    self.clock = clock
    rate = ReadingRate(limit: bytesPerSecond)
  }

  /// Looks at every file of the scope; `observe` hears of each finding.
  mutating func run(
    restarts: Bool,
    observe: (Finding) -> Void
  ) throws(ProgramError) {
    let begun = try wrappingQueue { () throws(JobStoreError) in
      try store.beginAudit(scope, restarts: restarts)
    }
    var position: JobStore.AuditPosition?
    var pace = RecordPace(now: clock())
    while true {
      let page = try wrappingQueue { () throws(JobStoreError) in
        try store.files(of: scope, audit: begun.id, after: position)
      }
      guard let last = page.last else { break }
      position = JobStore.AuditPosition(last)
      var results: [(file: AuditedFile, result: AuditResult)] = []
      for (index, file) in page.enumerated() {
        let bytesBefore = bytes
        if let result = look(at: file, observe) { results.append((file, result)) }
        let isGroup = pace.endsGroup(afterFileOf: bytes - bytesBefore, now: clock())
        guard isGroup || index == page.count - 1 else { continue }
        try wrappingQueue { () throws(JobStoreError) in
          try store.record(results, audit: begun.id)
        }
        results = []
      }
    }
    try wrappingQueue { () throws(JobStoreError) in try store.finishAudit(begun.id) }
  }

  /// What a file is found to be; nil where that is on record.
  private mutating func look(at file: AuditedFile, _ observe: (Finding) -> Void) -> AuditResult? {
    let path = roots.path(of: file.location)
    if let path { folders.insert(path.parent) }
    // Only what was intact is taken from before: the rest may have been put right.
    if file.result == .intact, let path {
      lookedAtBefore += 1
      intact += 1
      verified.append((path, file.sha256))
      return nil
    }
    let (result, detail) = state(of: file, path)
    if result == .intact, let path {
      intact += 1
      verified.append((path, file.sha256))
    } else {
      let finding = Finding(file: file, path: path, result: result, detail: detail)
      findings.append(finding)
      observe(finding)
    }
    return result
  }

  private mutating func state(
    of file: AuditedFile,
    _ path: FilePath?
  ) -> (AuditResult, String) {
    guard let path else {
      return (.missing, "root \(file.location.root) is unknown here: give it with --root")
    }
    do throws(SystemError) {
      guard let status = try path.statusIfExists(followingLinks: false) else {
        return (.missing, "")
      }
      guard status.kind == .file else { return (.changed, "it is no regular file") }
      guard status.size == file.size else {
        return (.changed, "it has \(status.size) bytes instead of \(file.size)")
      }
      let descriptor = try FileDescriptor.open(path, .read, followingLinks: false)
      var hash = SHA256()
      var offset: Int64 = 0
      while true {
        let piece = try descriptor.read(count: 1 << 20, at: offset)
        if piece.isEmpty { break }
        hash.update(piece)
        offset += Int64(piece.count)
        rate.add(piece.count)
      }
      bytes += offset
      return hash.finalize() == file.sha256 ? (.intact, "") : (.changed, "its content is another")
    } catch {
      return (.changed, "it can't be read: \(error.message)")
    }
  }
}
