import FileSystem
import JSON
import PostgresClient
import ProcessControl
import TestSupport
import Testing

/// The guide to statistics, line by line: every command and every query in it works as it stands.
@Suite struct StatisticsGuideTests {
  private let fixture: QueueFixture

  init() throws {
    fixture = try QueueFixture(pictures: 0)
  }

  private static func blocks(_ language: String) throws -> [String] {
    try GuideText.blocks(language, of: "Statistics")
  }

  @Test func everyCommandAndQueryWorks() throws {
    let folder = fixture.folder.root
    let program = BuiltProduct.rawmill.parent.displayText
    let commands = try Self.blocks("sh")
    #expect(commands.count == 4)
    let script = """
      set -euo pipefail
      cd '\(folder.displayText)'
      PATH='\(program)':$PATH
      export RAWMILL_DATA_DIR='\(fixture.folder.path("data").displayText)'
      export RAWMILL_MIGRATIONS='\(PackageFolder.path("migrations").displayText)'
      unset RAWMILL_DATABASE_URL
      \(commands.joined(separator: "\n"))
      """
    let run = try ProgramRun.run(
      "/bin/bash",
      arguments: ["-c", script],
      timeout: .seconds(300)
    )
    #expect(run.exit.isSuccess, "\(run.errorText)")
    #expect(run.outputText.contains("clips first"), "\(run.outputText)")

    // Pictures.
    let png = try fixture.folder.path("one.png").readAll()
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.count > 10_000)
    for name in ["document.svg", "batch.svg"] {
      let svg = String(decoding: try fixture.folder.path(name).readAll(), as: UTF8.self)
      #expect(svg.hasPrefix("<svg ") && svg.contains("green2") && svg.contains("EV below white"))
    }
    // Tables: a row for each photo and plane, two mosaics and one LinearRaw.
    let csv = try fixture.folder.path("statistics.csv").readAll()
      .split(separator: UInt8(ascii: "\n"))
    let lines = try fixture.folder.path("statistics.jsonl").readAll()
      .split(separator: UInt8(ascii: "\n"))
    let planes = try database("SELECT count(*) FROM plane_statistics")[0].int(0)
    #expect(csv.count == planes + 1 && lines.count == planes && planes >= 7)

    for query in try Self.blocks("sql") {
      let result = try database(query)
      #expect(result.rowCount > 0, "\(query)")
    }
    // The rows say what the documents say.
    let document = try JSONParser.parse(
      fixture.folder.path("measured/bayer-lossless-jpeg.statistics.json").readAll()
    )
    for plane in try document.requireArray("planes") {
      let name = try plane.requireString("plane")
      let row = try database(
        """
        SELECT s.mean, s.clipped, s.ev_counts,
          (SELECT sum(l.samples) FROM histogram_levels(
            h.first_level, h.level_count, h.occupied, h.counts) AS l)::bigint,
          (SELECT array_agg(l.samples ORDER BY l.level) FROM histogram_levels(
            h.first_level, h.level_count, h.occupied, h.counts) AS l)
        FROM plane_statistics s JOIN plane_histogram h USING (job_id, output_id, plane)
        JOIN photo_statistics p USING (job_id, output_id)
        WHERE plane = '\(name)' AND path LIKE '%bayer-lossless-jpeg.dng'
        """
      )[0]
      #expect(try row.double(0) == plane.requireDouble("mean"))
      #expect(try row.int(1) == plane.requireInteger("clippedCount"))
      let exposure = try plane.require("exposure").requireArray("counts")
      #expect(try row.int64Array(2) == exposure.compactMap(\.integerValue))
      #expect(try row.int(3) == plane.requireInteger("count"))
      let counts = try plane.require("stored").requireArray("counts").compactMap(\.integerValue)
      #expect(try row.int64Array(4) == counts.filter { $0 > 0 })
    }
  }

  /// A farm of small DNGs of known cameras: what Python makes of samples and rows.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func aFarmIsWhatPythonMakesOfIt() throws {
    let script = "statistics_farm.py"
    _ = try OraclePython.run(script, arguments: ["make", fixture.input.displayText, "100"])
    let recipe = PackageFolder.path("deploy/recipes/statistics.yaml").displayText
    let run = try fixture.run("--recipe", recipe)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let export = try fixture.call("export", "statistics", "--batch", "1")
    #expect(export.exitCode == 0, "\(export.errorText)")
    let csv = try fixture.folder.write(export.output, to: "statistics.csv").displayText
    let views = try database(
      """
      SELECT json_build_object(
        'clipping_per_shoot', (SELECT json_agg(v) FROM clipping_per_shoot v),
        'exposure_drift', (SELECT json_agg(v) FROM exposure_drift v),
        'iso_noise', (SELECT json_agg(v) FROM iso_noise v),
        'wrong_white_level', (SELECT json_agg(v) FROM wrong_white_level v))::text
      """
    )[0].text(0)
    let text = try OraclePython.run(
      script,
      arguments: [
        "check", fixture.input.displayText, fixture.output.displayText, csv,
        fixture.folder.write(Array(views.utf8), to: "views.json").displayText, "20",
      ]
    )
    #expect(text.hasPrefix("ok 100 photos, 20 recomputed"), "\(text)")
    // Histograms of 400 planes by one call.
    let sum = try database("SELECT sum(samples)::bigint FROM batch_histogram(1)")[0].int(0)
    #expect(sum == 100 * 192 * 144)
  }

  @Test func aRawThatHasNoStatisticsIsAnErrorByName() throws {
    let broken = try fixture.folder.write([1, 2, 3], to: "in/broken.dng").displayText
    let run = try fixture.call("histogram", broken)
    #expect(run.exitCode == 1)
    #expect(run.errorText.contains("broken.dng") && run.errorText.contains("["))
    let both = try fixture.call("histogram", broken, "--csv", "--json")
    #expect(both.exitCode == 64)
    let bins = try fixture.call("histogram", broken, "--csv", "--bins", "4")
    #expect(bins.exitCode == 64 && bins.errorText.contains("--json"))
    let none = try fixture.call("export", "statistics", "--batch", "77")
    #expect(none.exitCode == 64 && none.output.isEmpty, "\(none.errorText)")
  }

  /// A document may come from anywhere: what no raw can have is refused by its key.
  @Test(
    arguments: [
      ("\"counts\":[1,2]", "\"counts\":[9223372036854775807,9223372036854775807]", "counts"),
      ("\"firstLevel\":3", "\"firstLevel\":4611686018427387904", "firstLevel"),
      ("\"firstLevel\":3", "\"firstLevel\":-5", "firstLevel"),
      ("\"counts\":[1,2]", "\"counts\":[]", "counts"),
      ("\"white\":255", "\"white\":1e300", "white"),
      ("\"black\":0", "\"black\":-1e300", "black"),
      ("\"saturationLevel\":200", "\"saturationLevel\":4611686018427387904", "saturationLevel"),
    ]
  )
  func documentsThatCannotBeAreRefused(_ old: String, _ new: String, key: String) throws {
    let document = """
      {"document":"rawmill statistics","planes":[{"plane":"gray","count":3,"clippedCount":0,\
      "black":0,"white":255,"minimum":3,"p50":3,"p99_9":4,"maximum":4,"mean":3.5,\
      "standardDeviation":0.5,"underexposedCount":0,"saturationLevel":200,\
      "exposure":{"counts":[0,3]},"stored":{"firstLevel":3,"counts":[1,2]}}]}
      """
    let good = try fixture.folder.write(Array(document.utf8), to: "good.json").displayText
    #expect(try fixture.call("histogram", good, "--svg").exitCode == 0)
    let text = document.replacing(old, with: new)
    let bad = try fixture.folder.write(Array(text.utf8), to: "bad.json").displayText
    let run = try fixture.call("histogram", bad, "--svg")
    #expect(run.exitCode == 1 && run.output.isEmpty, "\(run.errorText)")
    #expect(run.errorText.contains("bad.json") && run.errorText.contains(key), "\(run.errorText)")
  }

  private func database(_ query: String) throws -> PostgresResult {
    try fixture.connect().queryOnce(query, named: "test")
  }
}
