import EmbeddedPostgres
import FileSystem
import Glibc
import PostgresClient
import ProcessControl
import Raster
import SampleScene
import TestSupport

/// A private database, a folder of pictures and the real program.
final class QueueFixture {
  let folder: TemporaryDirectory
  var input: FilePath { folder.path("in") }
  var output: FilePath { folder.path("out") }

  private var environment: [String: String?] {
    [
      "RAWMILL_DATA_DIR": folder.path("data").displayText,
      "RAWMILL_DATABASE_URL": Optional<String>.none,
      "RAWMILL_MIGRATIONS": PackageFolder.path("migrations").displayText,
    ]
  }

  /// Makes `count` inputs, copies of a small sample with a name and a time of their own.
  init(pictures count: Int) throws {
    folder = try TemporaryDirectory()
    // As root the server runs as another user, who must be able to enter.
    guard unsafe chmod(folder.root.displayText, 0o755) == 0 else {
      throw SystemError(errorNumber: errno, call: "chmod", path: folder.root)
    }
    let bytes = try QueueFixture.picture.get()
    for index in 0..<count {
      try folder.write(bytes, to: "in/day\(index % 3)/picture\(1_000 + index).dng")
    }
    try output.createDirectories()
  }

  deinit {
    _ = try? call("database", "stop")
  }

  /// A small Bayer DNG of the computed scene, made once.
  private static let picture = Result { () throws -> [UInt8] in
    try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 640, height: 480),
      scheduler: TileScheduler(laneCount: 2)
    )
  }

  /// Calls the program and waits for it.
  @discardableResult
  func call(_ arguments: String..., timeout: Duration = .seconds(240)) throws -> ProgramRun {
    try ProgramRun.run(
      BuiltProduct.rawmill,
      arguments: arguments,
      environment: environment,
      timeout: timeout
    )
  }

  /// Calls the program with more in its environment.
  func call(
    _ arguments: [String],
    environment more: [String: String] = [:],
    timeout: Duration = .seconds(240)
  ) throws -> ProgramRun {
    try ProgramRun.run(
      BuiltProduct.rawmill,
      arguments: arguments,
      environment: environment.merging(more) { _, new in new },
      timeout: timeout
    )
  }

  /// `rawmill run` over the inputs, to its end.
  func run(_ more: String..., timeout: Duration = .seconds(240)) throws -> ProgramRun {
    try ProgramRun.run(
      BuiltProduct.rawmill,
      arguments: runArguments + more,
      environment: environment,
      timeout: timeout
    )
  }

  /// `rawmill run` over the inputs, left running.
  func startRun() throws -> RunningProgram { try start(runArguments) }

  /// The program, left running.
  func start(_ arguments: [String]) throws -> RunningProgram {
    var launch = ProgramLaunch(BuiltProduct.rawmill, arguments: arguments)
    launch.environment = environment
    launch.descriptors = [nil, nil, nil]
    launch.diesWithParent = true
    return try RunningProgram.start(launch)
  }

  /// The program, left running, with its errors in a file of the fixture's folder.
  func start(_ arguments: [String], errorsTo name: String) throws -> RunningProgram {
    let file = try FileDescriptor.open(
      folder.path(name),
      .readWriteExclusively(permissions: 0o600)
    )
    var launch = ProgramLaunch(BuiltProduct.rawmill, arguments: arguments)
    launch.environment = environment
    launch.descriptors = [nil, nil, file.rawValue]
    launch.diesWithParent = true
    return try RunningProgram.start(launch)
  }

  private var runArguments: [String] {
    ["run", input.displayText, "--to", output.displayText]
  }

  /// The address of the server, which is started if need be; its schema is left as it is.
  private func address() throws -> DatabaseAddress {
    try EmbeddedPostgres(ClusterFolder(root: folder.path("data"))).start()
  }

  /// What another role takes to connect to the server.
  func connectionInfo(user: String, database: String? = nil) throws -> String {
    let name = database.map { " dbname='\($0)'" } ?? ""
    return "\(try address().connectionInfo ?? "") user='\(user)'\(name)"
  }

  /// A session of the test's own with the database, which is started if need be.
  func connect() throws -> PostgresConnection {
    try PostgresConnection.open(
      address(),
      SessionSettings(applicationName: "test", searchPath: "rawmill")
    )
  }

  /// Files in and below the outputs' folder, hidden ones included, relative to it.
  func outputNames() throws -> [String] { try output.fileNamesBelow() }

  /// Process ids of the children of a process, by their first argument.
  func children(of process: Int32, named word: String) throws -> [Int32] {
    try FilePath("/proc").directoryEntries().compactMap { entry -> Int32? in
      guard let id = Int32(entry.name.displayText),
        let stat = QueueFixture.text("/proc/\(id)/stat"), let end = stat.lastIndex(of: ")")
      else { return nil }
      let fields = stat[end...].split(separator: " ")
      guard fields.count > 2, Int32(fields[2]) == process, fields[1] != "Z",
        let line = QueueFixture.text("/proc/\(id)/cmdline")
      else { return nil }
      return line.split(separator: "\0").dropFirst().first.map(String.init) == word ? id : nil
    }
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? FileDescriptor.open(FilePath(path), .read),
      let bytes = try? file.read(count: 4096)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
