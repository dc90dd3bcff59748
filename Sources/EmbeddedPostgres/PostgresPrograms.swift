package import FileSystem

/// The server programs of one PostgreSQL version.
package struct PostgresPrograms: Equatable, Sendable {
  package let folder: FilePath
  /// 15.
  package let majorVersion: Int

  package init(folder: FilePath, majorVersion: Int) {
    self.folder = folder
    self.majorVersion = majorVersion
  }

  func program(_ name: String) -> FilePath { folder.appending(FilePath(name)) }

  /// Every version that is installed, the newest first; one, if `RAWMILL_POSTGRES_BIN` names its
  /// folder.
  ///
  /// Debian keeps server programs out of PATH, in `/usr/lib/postgresql/VERSION/bin`.
  package static func find() throws(EmbeddedPostgresError) -> [PostgresPrograms] {
    let folders: [FilePath]
    if let folder = SystemInformation.environment("RAWMILL_POSTGRES_BIN"), !folder.isEmpty {
      folders = [FilePath(folder)]
    } else {
      folders = debianFolders() + pathFolders()
    }
    var found: [PostgresPrograms] = []
    for folder in folders where found.allSatisfy({ $0.folder != folder }) {
      if let programs = try look(in: folder) { found.append(programs) }
    }
    guard !found.isEmpty else {
      throw .programsMissing(searched: ["/usr/lib/postgresql/*/bin", "PATH"])
    }
    return found.sorted { $0.majorVersion > $1.majorVersion }
  }

  private static let debianFolder: FilePath = "/usr/lib/postgresql"

  private static func debianFolders() -> [FilePath] {
    do throws(SystemError) {
      return try debianFolder.directoryEntries()
        .map { debianFolder.appending($0.name).appending("bin") }
    } catch {
      // No such folder: nothing is installed there.
      return []
    }
  }

  private static func pathFolders() -> [FilePath] {
    (SystemInformation.environment("PATH") ?? "").split(separator: ":")
      .map { FilePath(String($0)) }
  }

  /// The programs in a folder, if all that is needed is there.
  private static func look(in folder: FilePath) throws(EmbeddedPostgresError) -> PostgresPrograms? {
    for name in ["initdb", "pg_ctl", "postgres"] {
      do throws(SystemError) {
        guard try folder.appending(FilePath(name)).statusIfExists()?.kind == .file else {
          return nil
        }
      } catch {
        return nil
      }
    }
    let output = try ProgramOutput.run(folder.appending("pg_ctl"), ["--version"])
    guard let version = majorVersion(in: output.text) else { return nil }
    return PostgresPrograms(folder: folder, majorVersion: version)
  }

  /// 15 out of `pg_ctl (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)`.
  static func majorVersion(in text: String) -> Int? {
    guard let range = text.firstRange(of: "(PostgreSQL) ") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }
}
