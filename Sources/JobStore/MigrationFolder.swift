package import FileSystem

/// Finds the folder of the migrations.
package enum MigrationFolder {
  /// `RAWMILL_MIGRATIONS`; else `share/rawmill/migrations` of the prefix in which the program is
  /// installed; else `migrations` of the source checkout that the program or the working directory
  /// lies in.
  package static func find() throws(JobStoreError) -> FilePath {
    let program: FilePath?
    let working: FilePath?
    do throws(SystemError) {
      program = try SystemInformation.executablePath()
      working = try FilePath.currentDirectory()
    } catch {
      throw .migrationUnreadable(file: "/proc/self/exe", reason: error.message)
    }
    return try find(
      override: SystemInformation.environment("RAWMILL_MIGRATIONS").map { FilePath($0) },
      program: program,
      workingDirectory: working
    )
  }

  /// As `find()`, with what it looks at given.
  package static func find(
    override: FilePath?,
    program: FilePath?,
    workingDirectory: FilePath?
  ) throws(JobStoreError) -> FilePath {
    let candidates: [FilePath]
    if let override {
      candidates = [override]
    } else {
      let installed = program.map { $0.parent.parent.appending("share/rawmill/migrations") }
      let checkouts = [program?.parent, workingDirectory].compactMap { $0 }
        .flatMap(withAncestors)
        .filter { isFile($0.appending("Package.swift")) }
        .map { $0.appending("migrations") }
      candidates = [installed].compactMap { $0 } + checkouts
    }
    for candidate in candidates where isFile(candidate.appending("0001_queue.up.sql")) {
      return candidate
    }
    throw .migrationsMissing(searched: candidates.map(\.displayText))
  }

  private static func withAncestors(_ folder: FilePath) -> [FilePath] {
    var folders = [folder]
    while let last = folders.last, last.parent != last, folders.count < 64 {
      folders.append(last.parent)
    }
    return folders
  }

  /// A folder that can't be looked into is no candidate.
  private static func isFile(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      return try path.statusIfExists()?.kind == .file
    } catch {
      return false
    }
  }
}
