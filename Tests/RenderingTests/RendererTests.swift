import Digest
import ImageEncoding
import JSON
import Raster
import RawDecoding
import Recipe
import Rendering
import SampleScene
import Testing

@Suite struct RendererTests {
  private static let size = PixelSize(width: 256, height: 192)

  private static func sample(_ file: SampleFile) throws -> [UInt8] {
    try file.bytes(size: size, scheduler: TileScheduler(laneCount: 1))
  }

  private static let recipe = Recipe(outputs: [
    OutputSpecification(id: "heic", format: .heic(.init())),
    OutputSpecification(id: "tiff", format: .tiff(.init())),
    OutputSpecification(id: "heic2", suffix: "_small", format: .heic(.init(quality: 0.5))),
    OutputSpecification(id: "tiff2", suffix: "_8", format: .tiff(.init(bitDepth: 8))),
  ])

  private static func render(
    _ input: [UInt8],
    _ recipe: Recipe = recipe,
    sinks: [MemorySink],
    lanes: Int = 1,
    observer: RenderObserver = RenderObserver()
  ) throws(RenderError) -> RenderReport {
    try Renderer.render(
      input,
      recipe: recipe,
      sinks: sinks,
      scheduler: TileScheduler(laneCount: lanes),
      observer: observer
    )
  }

  @Test(arguments: SampleFile.allCases)
  func everyOutputIsReported(file: SampleFile) throws {
    let input = try Self.sample(file)
    let sinks = (0..<4).map { _ in MemorySink() }
    let report = try Self.render(input, sinks: sinks)
    #expect(report.inputByteCount == input.count)
    #expect(report.inputSHA256 == SHA256.digest(of: input))
    let isPortrait = file == .bayerPacked14Bit
    #expect(report.size == (isPortrait ? Self.size.transposed : Self.size))
    #expect(report.outputs.map(\.id) == ["heic", "tiff", "heic2", "tiff2"])
    #expect(report.outputs.map(\.byteCount) == sinks.map(\.bytes.count))
    #expect(report.outputs.map(\.bitDepth) == [8, 16, 8, 8])
    #expect(report.outputs.allSatisfy { $0.size == report.size && $0.colorSpace == .displayP3 })
    #expect(report.libraries.map(\.name) == ["lcms2", "libheif", "libtiff", "x265"])
    #expect(report.recipeDigest == Self.recipe.digest)
    #expect(report.pixelVersion == PixelVersion.current)
    #expect(
      report.stages.map(\.name)
        == ["decode", "develop", "encode tiff", "encode tiff2", "encode heic", "encode heic2"]
    )
  }

  @Test func threadsDoNotShow() throws {
    let input = try Self.sample(.bayerLosslessJPEG)
    func outputs(lanes: Int) throws -> [[UInt8]] {
      let sinks = (0..<4).map { _ in MemorySink() }
      _ = try Self.render(input, sinks: sinks, lanes: lanes)
      return sinks.map(\.bytes)
    }
    #expect(try outputs(lanes: 1) == outputs(lanes: 3))
  }

  /// An output is the same whether it is the only one or one of many.
  @Test func outputsDoNotDependOnEachOther() throws {
    let input = try Self.sample(.bayerLosslessJPEG)
    let together = (0..<4).map { _ in MemorySink() }
    _ = try Self.render(input, sinks: together)
    for (index, output) in Self.recipe.outputs.enumerated() {
      let alone = MemorySink()
      _ = try Self.render(input, Recipe(outputs: [output]), sinks: [alone])
      #expect(alone.bytes == together[index].bytes, "\(output.id)")
    }
  }

  @Test func progressRisesToTheEnd() throws {
    var fractions: [Double] = []
    var stages: [String] = []
    _ = try Self.render(
      try Self.sample(.linearRaw),
      Recipe(outputs: [Self.recipe.outputs[1]]),
      sinks: [MemorySink()],
      observer: RenderObserver(
        stage: { stages.append($0) },
        progress: { fractions.append($0) }
      )
    )
    #expect(stages == ["decode", "develop", "encode tiff"])
    #expect(fractions == fractions.sorted())
    #expect(abs((fractions.last ?? 0) - 1) < 1e-9)
  }

  /// What is written down and what the file says give one picture and one digest; another value another.
  @Test func resolvedDigestCoversEverySetting() throws {
    let input = try Self.sample(.bayerLosslessJPEG)
    var recipe = Recipe(outputs: [Self.recipe.outputs[0]])
    let plain = try Renderer.explain(input, recipe: recipe)
    recipe.develop.exposure = 0.5
    let brighter = try Renderer.explain(input, recipe: recipe)
    #expect(plain.resolvedDigest != brighter.resolvedDigest)
    let exposure = try #require(brighter.settings.first { $0.name == "exposure" })
    #expect(exposure == RenderSetting(name: "exposure", value: 0.5, origin: "recipe"))
    let report = try Self.render(input, recipe, sinks: [MemorySink()])
    #expect(report.resolvedDigest == brighter.resolvedDigest)
    #expect(report.settings == brighter.settings)
  }

  @Test func planNamesTheStagesThatDoSomething() throws {
    var recipe = Recipe(outputs: [Self.recipe.outputs[1]])
    let bayer = try Self.sample(.bayerLosslessJPEG)
    let full = [
      "linearization", "highlightRecovery", "demosaic.menon", "workingColor", "blackPoint", "tone",
      "outputColor",
      "gamutMap", "output",
    ]
    #expect(
      try Renderer.explain(bayer, recipe: recipe).plan.map(\.name)
        == ["decode"] + full + ["encode tiff"]
    )
    recipe.develop.boostAmount = 0
    recipe.develop.shadowBias = 0
    recipe.develop.isGamutMappingEnabled = false
    #expect(
      try Renderer.explain(Self.sample(.linearRaw), recipe: recipe).plan.map(\.name)
        == [
          "decode", "linearization", "highlightRecovery", "workingColor", "outputColor", "output",
          "encode tiff",
        ]
    )
  }

  @Test func failuresKeepTheirCause() throws {
    let input = try Self.sample(.bayerLosslessJPEG)
    let sinks = [MemorySink(), MemorySink(byteLimit: 100), MemorySink(), MemorySink()]
    let full = #expect(throws: RenderError.self) { try Self.render(input, sinks: sinks) }
    guard case .encode(.sink(.outOfSpace(errno: 28, offset: _)), outputID: "tiff") = full else {
      Issue.record("\(String(describing: full))")
      return
    }
    #expect(throws: RenderError.sinkCount(expected: 4, found: 1)) {
      try Self.render(input, sinks: [MemorySink()])
    }
    #expect(throws: RenderError.decode(.emptyFile)) {
      try Self.render([], sinks: (0..<4).map { _ in MemorySink() })
    }
    #expect(throws: RenderError.decode(.notRaw("JPEG"))) {
      try Self.render([0xFF, 0xD8, 0xFF, 0xE0], sinks: (0..<4).map { _ in MemorySink() })
    }
  }
}
