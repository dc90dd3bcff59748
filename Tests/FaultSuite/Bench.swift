internal import FileSystem
internal import Glibc
internal import PostgresClient
internal import ProcessControl
internal import Raster
internal import SampleScene

/// What the rows of a call share: the program, a server, the preloaded library, a folder.
final class Bench {
  let folder: FilePath
  let rawmill: FilePath
  let migrations: FilePath
  let library: FilePath
  let isLong: Bool
  let seed: UInt64
  /// A small Bayer DNG.
  let picture: [UInt8]
  let serial = Serial()
  /// The farm of the row that runs.
  var farm: Farm?
  private var shared: Server?

  init(rawmill: FilePath, source: FilePath, isLong: Bool, seed: UInt64) throws {
    self.rawmill = rawmill
    self.isLong = isLong
    self.seed = seed
    migrations = source.appending("migrations")
    try Leftovers.remove()
    folder = FilePath("/tmp/\(Leftovers.folderPrefix)\(SystemInformation.processID)")
    try folder.createDirectory(permissions: 0o755)
    library = folder.appending("failpoints.so")
    var built = false
    for compiler in ["clang", "cc"] where !built {
      built =
        (try? Shell.run(
          "/usr/bin/env",
          [
            compiler, "-shared", "-fPIC", "-O1", "-o", library.displayText,
            source.appending("Tests/Failpoints/failpoints.c").displayText, "-ldl",
          ]
        ))?.exit.isSuccess ?? false
    }
    guard built else { throw SuiteError.usage("no C compiler for Tests/Failpoints") }
    picture = try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 64, height: 48),
      scheduler: TileScheduler(laneCount: 1)
    )
  }

  deinit {
    shared = nil
    try? folder.removeTree()
  }

  /// The server that most rows use, each with a database of its own.
  func server() throws -> Server {
    if let shared { return shared }
    let server = try Server.create(folder.appending("server"))
    shared = server
    return server
  }

  /// Mounts a file system in memory; only root can, in the suite's own mount namespace.
  func mountMemory(_ path: FilePath, size: String) throws {
    guard geteuid() == 0 else { throw SuiteError.skipped("only root can mount a file system") }
    try path.createDirectories(permissions: 0o755)
    try Shell.require(
      "/usr/bin/env",
      ["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path.displayText]
    )
  }

  static func unmount(_ path: FilePath) {
    _ = try? Shell.run("/usr/bin/env", ["umount", "-l", path.displayText])
  }
}
