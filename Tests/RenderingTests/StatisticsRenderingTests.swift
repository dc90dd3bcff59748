import Digest
import FileSystem
import ImageEncoding
import JSON
import Raster
import Recipe
import Rendering
import SampleScene
import TestSupport
import Testing

/// Statistics through the whole engine.
@Suite struct StatisticsRenderingTests {
  private static let size = PixelSize(width: 320, height: 240)
  private let scheduler = TileScheduler(laneCount: 2)

  @Test func nothingIsDemosaicedForStatistics() throws {
    let input = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let recipe = try Recipe.parse(
      Array("recipe: 1\noutputs: [statistics: {histogramBins: 64}, statistics: {suffix: _b}]".utf8),
      format: .yaml
    )
    let sinks = [MemorySink(), MemorySink()]
    let report = try Renderer.render(input, recipe: recipe, sinks: sinks, scheduler: scheduler)
    #expect(report.stages.map(\.name) == ["decode", "measure statistics", "measure statistics2"])
    #expect(report.settings.isEmpty && report.outputs.map(\.byteCount) == sinks.map(\.bytes.count))
    #expect(report.outputs.allSatisfy { $0.format == .json && $0.colorSpace == nil })
    #expect(try RenderReport(json: report.json) == report)
    let document = try JSONParser.parse(sinks[0].bytes)
    #expect(document["inputSHA256"]?.stringValue == SHA256.digest(of: input).hex)
    let planes = try document.requireArray("planes")
    #expect(planes.count == 4)
    for plane in planes {
      #expect(plane["count"] == .init(Self.size.pixelCount / 4))
      let bins = try plane.requireArray("bins").compactMap(\.integerValue)
      #expect(bins.count == 64 && bins.reduce(0, +) == Int64(Self.size.pixelCount / 4))
    }
    // The other has no bins, and is the same but for them.
    let other = try JSONParser.parse(sinks[1].bytes)
    #expect(other["planes"]?[0]?["bins"] == nil)
    #expect(other["planes"]?[0]?["stored"] == planes[0]["stored"])
    // What the command measures is what the output has.
    let alone = try Renderer.statistics(input, binCount: 64, scheduler: TileScheduler(laneCount: 1))
    #expect(alone == document)
  }

  @Test func statisticsStandBesideOtherOutputs() throws {
    let input = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let recipe = try Recipe.parse(
      Array("recipe: 1\noutputs: [tiff: {bitDepth: 8}, statistics: {}, dng: {}]".utf8),
      format: .yaml
    )
    let sinks = [MemorySink(), MemorySink(), MemorySink()]
    let report = try Renderer.render(input, recipe: recipe, sinks: sinks, scheduler: scheduler)
    #expect(report.outputs.map(\.id) == ["tiff", "statistics", "dng"])
    #expect(report.outputs.map { $0.statistics != nil } == [false, true, false])
    #expect(report.stages.filter { $0.name == "decode" }.count == 1)
  }

  /// Every DNG of the corpus: the same for one lane and for three, and what numpy makes of the samples that
  /// other readers decode.
  @Test(
    .enabled(if: Corpus.isAvailable, Corpus.missingComment),
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment)
  )
  func theWholeCorpus() throws {
    let folder = try TemporaryDirectory()
    var arguments: [String] = []
    var refused: [String] = []
    for part in ["photos", "variants", "edge"] {
      for entry in try Corpus.path(part).directoryEntries().sorted(by: { $0.name < $1.name }) {
        let name = entry.name.displayText
        guard name.hasSuffix(".dng") else { continue }
        let bytes = try Corpus.bytes("\(part)/\(name)")
        do {
          let one = try Renderer.statistics(
            bytes,
            binCount: 64,
            scheduler: TileScheduler(laneCount: 1)
          )
          let three = try Renderer.statistics(
            bytes,
            binCount: 64,
            scheduler: TileScheduler(laneCount: 3)
          )
          #expect(one.bytes() == three.bytes(), "\(name)")
          let document = try folder.write(one.bytes(), to: "\(name).json")
          arguments += [Corpus.path("\(part)/\(name)").displayText, document.displayText]
        } catch let error as RenderError {
          refused.append("\(name): \(error.code)")
        }
      }
    }
    #expect(refused == [])
    let text = try OraclePython.run(
      "statistics_document.py",
      arguments: arguments,
      timeout: .seconds(600)
    )
    let lines = text.split(separator: "\n").map(String.init)
    let wrong = lines.filter { !$0.hasPrefix("ok ") && !$0.hasPrefix("skipped ") }
    #expect(wrong == [], "\(wrong.joined(separator: "\n"))")
    #expect(lines.filter { $0.hasPrefix("ok ") }.count > 40, "\(text)")
  }
}
