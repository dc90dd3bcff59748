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
      Array("recipe: 1\noutputs: [statistics: {histogramBins: 64}]".utf8),
      format: .yaml
    )
    let sinks = [MemorySink()]
    let report = try Renderer.render(input, recipe: recipe, sinks: sinks, scheduler: scheduler)
    #expect(report.stages.map(\.name) == ["decode", "measure statistics"])
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

  /// The scene's histograms count the values that a linear output of the same recipe has.
  @Test func theScenesHistogramIsThatOfTheLinearOutput() throws {
    let input = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let recipe = try Recipe.parse(
      Array(
        """
        recipe: 1
        develop: {exposure: 0.5}
        outputs:
          - statistics: {areaHistogram: displayP3, areaHistogramCount: 50, areaHistogramScale: 2}
          - linear: {colorSpace: displayP3, format: npy}
        """.utf8
      ),
      format: .yaml
    )
    let sinks = recipe.files.map { _ in MemorySink() }
    let report = try Renderer.render(input, recipe: recipe, sinks: sinks, scheduler: scheduler)
    let histogram = try JSONParser.parse(sinks[0].bytes).require("areaHistogram")
    #expect(report.outputs[0].statistics?["areaHistogram"] == histogram)
    #expect(histogram["colorSpace"] == "displayP3" && histogram["exposureEV"] == 0.5)
    // NPY's header is a multiple of 64 bytes, its length at byte 8.
    let file = sinks[1].bytes
    let header = 10 + Int(file[8]) + 256 * Int(file[9])
    let values = stride(from: header, to: file.count, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(file[place + $1]) << UInt32(8 * $1) }
      )
    }
    #expect(histogram["pixels"] == .init(values.count / 3))
    #expect(histogram["valuePerPixel"] == .init(2 / Double(values.count / 3)))
    let channels = try histogram.requireArray("channels")
    // Y of Display P3's primaries.
    let weights: [Float] = [0.22897456, 0.69173852, 0.07928691]
    for (index, channel) in channels.enumerated() {
      let pixels = stride(from: 0, to: values.count, by: 3).map { place in
        index < 3
          ? values[place + index]
          : (0..<3).reduce(Float(0)) { $0 + weights[$1] * values[place + $1] }
      }
      let bins = try channel.requireArray("bins").compactMap(\.integerValue).map { Int($0) }
      var expected = [Int](repeating: 0, count: 50)
      for value in pixels { expected[min(max(Int((value * 50).rounded(.down)), 0), 49)] += 1 }
      if index < 3 {
        #expect(bins == expected)
        #expect(channel["belowCount"] == .init(pixels.count { $0 < 0 }))
        #expect(channel["aboveCount"] == .init(pixels.count { $0 > 1 }))
      } else {
        // The weights here have eight digits: a value at a bin's edge may fall on its other side.
        let moved = zip(bins, expected).reduce(0) { $0 + abs($1.0 - $1.1) }
        #expect(bins.reduce(0, +) == pixels.count && moved <= 4)
      }
    }
    // Without other developed outputs, for any number of lanes.
    let alone = try Recipe.parse(
      Array(
        """
        recipe: 1
        develop: {exposure: 0.5}
        outputs: [statistics: {areaHistogram: displayP3, areaHistogramCount: 50, areaHistogramScale: 2}]
        """.utf8
      ),
      format: .yaml
    )
    let sink = MemorySink()
    _ = try Renderer.render(
      input,
      recipe: alone,
      sinks: [sink],
      scheduler: TileScheduler(laneCount: 1)
    )
    #expect(try JSONParser.parse(sink.bytes)["areaHistogram"] == histogram)
  }

  @Test func binsWithoutASpaceAreRefused() throws {
    #expect(throws: RecipeError.self) {
      try Recipe.parse(
        Array("recipe: 1\noutputs: [statistics: {areaHistogramCount: 64}]".utf8),
        format: .yaml
      )
    }
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
