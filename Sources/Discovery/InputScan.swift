internal import Diagnostics
package import FileSystem
package import Worker

/// The inputs among named files and folders: every raw by its content, whatever its name.
package struct InputScan: Sendable {
  /// A file that could not be looked at.
  package struct Problem: Equatable, Sendable {
    package let path: FilePath?
    package let error: WorkerError

    package init(path: FilePath?, error: WorkerError) {
      self.path = path
      self.error = error
    }
  }

  /// The inputs in the order of the walk.
  package private(set) var inputs: [FoundFile] = []
  /// Files that are no raws.
  package private(set) var skippedCount = 0
  /// Patterns that matched nothing.
  package private(set) var unmatched: [GlobPattern] = []
  package private(set) var problems: [Problem] = []

  /// Names that say raw; they count only for files whose content says nothing.
  ///
  /// A raw that was cut off or overwritten with zeros has no recognisable content, and must not vanish
  /// from a delivery without a word: it is taken, and fails as a job by name and reason.
  private static let rawExtensions: Set<String> = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "gpr", "iiq", "kdc", "mef", "mos",
    "mrw", "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "srw", "x3f",
  ]

  /// Walks (see `FolderWalk`) and classifies; a file that was named itself is always an input.
  ///
  /// - Throws: What keeps the classifying child from working at all.
  package init(
    _ paths: [FilePath],
    excluding: FilePath? = nil,
    probe: ContentProbe,
    progress: (_ filesSeen: Int) -> Void = { _ in }
  ) throws(WorkerError) {
    try self.init(FolderWalk(paths, excluding: excluding), probe: probe, progress: progress)
  }

  /// Classifies the files of a walk.
  ///
  /// A file that is an entry of a list is not looked into: it is an input whatever it is, and lists are
  /// long.
  package init(
    _ walk: FolderWalk,
    probe: ContentProbe,
    progress: (_ filesSeen: Int) -> Void = { _ in }
  ) throws(WorkerError) {
    unmatched = walk.unmatched
    problems = walk.problems.map { Problem(path: $0.path, error: .system($0)) }
    var start = 0
    while start < walk.files.count {
      let group = walk.files[start..<min(walk.files.count, start + 480)]
      let unknown = group.filter { !$0.isListed }
      var contents = unknown.isEmpty ? [][...] : try probe.contents(of: unknown.map(\.path))[...]
      for file in group {
        if file.isListed {
          inputs.append(file)
        } else if let content = contents.popFirst() {
          take(file, content)
        }
      }
      start += group.count
      progress(start)
    }
  }

  private mutating func take(_ file: FoundFile, _ content: Result<InputContent, WorkerError>) {
    do throws(WorkerError) {
      let content = try content.get()
      if content.isRaw || file.isNamed || (!content.isKnown && InputScan.hasRawName(file.path)) {
        inputs.append(file)
      } else {
        skippedCount += 1
      }
    } catch {
      problems.append(Problem(path: file.path, error: error))
    }
  }

  private static func hasRawName(_ path: FilePath) -> Bool {
    guard let bytes = path.fileExtension else { return false }
    return rawExtensions.contains(String(decoding: bytes, as: UTF8.self).lowercased())
  }
}

extension FoundFile {
  /// Whether a list names the file itself.
  fileprivate var isListed: Bool { entry != nil && isNamed }
}
