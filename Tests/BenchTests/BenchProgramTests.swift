import FileSystem
import JSON
import ProcessControl
import Raster
import SampleScene
import TestSupport
import Testing

/// The real `rawmill-bench`, on a small raw: figures of different days are compared by these names and
/// fields.
@Suite struct BenchProgramTests {
  private static let pixelBenches = [
    "dng.decode", "dng.encode.losslessJPEG", "dng.recompress", "dng.recompress.digests",
    "develop.demosaic", "develop.full", "develop.detail", "develop.draft", "heic.encode",
    "render.heic", "statistics.raw",
  ]
  private static let queueBenches = [
    "queue.claimComplete.1", "queue.claimComplete", "queue.claimComplete.100", "queue.enqueue",
    "queue.claim.1k", "queue.claim.100k", "queue.claim.1M", "queue.claim.churned",
    "queue.claim.held",
  ]

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func call(_ arguments: [String], timeout: Duration = .seconds(60)) throws -> ProgramRun {
    try ProgramRun.run(
      BuiltProduct.path("rawmill-bench"),
      arguments: arguments,
      environment: ["TMPDIR": folder.root.exactText, "RAWMILL_ORACLE_PYTHON": nil],
      timeout: timeout
    )
  }

  /// The objects that were printed, one a line.
  private func objects(_ run: ProgramRun) throws -> [JSONValue] {
    #expect(run.exit.isSuccess, "\(run.errorText)")
    return try run.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONParser.parse(Array($0))
    }
  }

  @Test func listNamesAllBenches() throws {
    let run = try call(["--list"])
    let names = run.outputText.split(separator: "\n").map {
      String($0.prefix { character in character != " " })
    }
    #expect(names == Self.pixelBenches + Self.queueBenches)
  }

  /// Usage errors say what would be right and exit with 64, before anything is measured.
  @Test(arguments: [
    (["dng.decoder"], "dng.decode"),
    (["--fast"], "--fast"),
    (["--runs"], "--runs wants a number"),
    (["--runs", "0"], "--runs wants a number"),
    (["--threads", "two"], "--threads wants a number"),
    (["--jobs", "-1"], "--jobs wants a number"),
    (["--input"], "--input wants a file"),
  ])
  func wrongArgumentsAreRefused(arguments: [String], part: String) throws {
    let run = try call(arguments)
    #expect(run.exit.reason == .code(64))
    #expect(run.errorText.hasPrefix("rawmill-bench: "))
    #expect(run.errorText.contains(part))
    #expect(run.output.isEmpty)
  }

  @Test func helpNamesEveryOption() throws {
    let text = try call(["--help"]).outputText
    for option in ["--input", "--threads", "--runs", "--jobs", "--json", "--list", "--peers"] {
      #expect(text.contains(option), "\(option)")
    }
  }

  @Test func aMissingInputIsAnError() throws {
    let run = try call(["dng.decode", "--input", "/nowhere.dng"])
    #expect(run.exit.reason == .code(1))
    #expect(run.errorText.contains("/nowhere.dng"))
  }

  @Test func peersNeedTheirInterpreter() throws {
    let run = try call(["dng.decode", "--peers", "--runs", "1", "--input", try sample()])
    #expect(run.exit.reason == .code(1))
    #expect(run.errorText.contains("RAWMILL_ORACLE_PYTHON"))
  }

  @Test func pixelBenchesPrintOneObjectEach() throws {
    let run = try call(
      Self.pixelBenches + ["--input", try sample(), "--runs", "2", "--threads", "2", "--json"]
    )
    let objects = try objects(run)
    #expect(objects.map { $0["name"]?.stringValue } == Self.pixelBenches)
    for object in objects {
      #expect(object["input"]?.stringValue == "small.dng")
      #expect(object["threads"]?.doubleValue == 2)
      #expect(object["runs"]?.doubleValue == 2)
      #expect(object["megapixels"]?.doubleValue == Double(256 * 192) / 1e6)
      for field in [
        "cpuSecondsMedian", "cpuSecondsBest", "wallSecondsMedian", "megapixelsPerCPUSecond",
        "peakBytes",
      ] {
        let number = try #require(object[field]?.doubleValue, "\(field)")
        #expect(number > 0, "\(field)")
      }
      #expect(object["jobsPerSecond"] == nil)
    }
    // Files of the benches' own are gone.
    #expect(try folder.root.directoryEntries().map(\.name.displayText) == ["small.dng"])
  }

  @Test func queueBenchesPrintOneObjectEach() throws {
    // The others fill the queue with up to a million jobs first.
    let names = Self.queueBenches.filter { !$0.hasPrefix("queue.claim.") || $0 == "queue.claim.1k" }
    let run = try call(
      names + ["--jobs", "200", "--runs", "1", "--json"],
      timeout: .seconds(300)
    )
    let objects = try objects(run)
    #expect(objects.map { $0["name"]?.stringValue } == names)
    for object in objects {
      for field in ["jobsPerSecond", "p50Milliseconds", "p99Milliseconds", "cpuSecondsMedian"] {
        let number = try #require(object[field]?.doubleValue, "\(field)")
        #expect(number > 0, "\(field)")
      }
      #expect(object["megapixels"] == nil)
    }
  }

  /// A Bayer raw of 256x192 pixels.
  private func sample() throws -> String {
    let bytes = try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 256, height: 192),
      scheduler: TileScheduler(laneCount: 1)
    )
    let path = try folder.write(bytes, to: "small.dng")
    return try #require(path.exactText)
  }
}
