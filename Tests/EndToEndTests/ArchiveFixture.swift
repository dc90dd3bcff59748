import Digest
import FileSystem
import JSON
import PostgresClient
import Raster
import SampleScene
import TestSupport
import Testing

/// A small collection of uncompressed DNGs, and a recipe that stores them anew without loss.
struct ArchiveFixture {
  let queue: QueueFixture
  let recipe: FilePath

  /// Makes `count` DNGs in folders of three.
  init(pictures count: Int, recipe: String = "dng: {keepSmaller: true}") throws {
    queue = try QueueFixture(pictures: 0)
    self.recipe = try queue.folder.write(
      Array("recipe: 1\noutputs: [\(recipe)]".utf8),
      to: "archive.yaml"
    )
    for index in 0..<count { try write(index) }
  }

  var folder: TemporaryDirectory { queue.folder }
  var input: FilePath { queue.input }
  var originals: FilePath { folder.path("originals") }

  static func name(_ index: Int) -> String { "day\(index % 3)/picture\(1_000 + index).dng" }
  func path(_ index: Int) -> FilePath { input.appending(FilePath(Self.name(index))) }
  func kept(_ index: Int) -> FilePath { originals.appending(FilePath(Self.name(index))) }

  /// The bytes of every original: packed samples, which compress.
  static let original = Result { () throws -> [UInt8] in
    try SampleFile.bayerPacked14Bit.bytes(
      size: PixelSize(width: 320, height: 240),
      scheduler: TileScheduler(laneCount: 2)
    )
  }

  /// Puts an original where it was, as a new file.
  func write(_ index: Int) throws {
    let path = path(index)
    try path.removeFileIfExists()
    try folder.write(Self.original.get(), to: "in/\(Self.name(index))")
  }

  /// `rawmill run --replace`, originals kept.
  func replace(environment: [String: String] = [:]) throws -> ProgramRun {
    try queue.call(
      [
        "run", input.displayText, "--recipe", recipe.displayText, "--replace", "--originals",
        originals.displayText, "--slots", "1",
      ],
      environment: environment
    )
  }

  /// The last event of a call with `--json`.
  func lastEvent(_ run: ProgramRun) throws -> JSONValue {
    try JSONParser.parse(String(try #require(run.outputText.split(separator: "\n").last)))
  }

  func number(_ database: PostgresConnection, _ sql: String) throws -> Int64 {
    try database.queryOnce(sql, named: "test")[0].int64(0)
  }

  /// Names in and below the inputs' folder, hidden ones included.
  func inputNames() throws -> [String] { try input.fileNamesBelow() }
}
