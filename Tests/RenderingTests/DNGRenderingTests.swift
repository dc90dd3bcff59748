import DNGFormat
import Digest
import ImageEncoding
import Raster
import RawDecoding
import RawModel
import Recipe
import Rendering
import SampleScene
import Testing

/// DNG outputs through the whole engine.
@Suite struct DNGRenderingTests {
  private static let size = PixelSize(width: 320, height: 240)
  private let scheduler = TileScheduler(laneCount: 2)

  private func render(
    _ input: [UInt8],
    _ settings: [OutputSpecification.DNGSettings]
  ) throws -> (report: RenderReport, files: [[UInt8]]) {
    let outputs = settings.enumerated().map {
      OutputSpecification(id: "dng\($0.offset)", suffix: "_\($0.offset)", format: .dng($0.element))
    }
    let sinks = outputs.map { _ in MemorySink() }
    let report = try Renderer.render(
      input,
      inputName: "input.dng",
      recipe: Recipe(outputs: outputs),
      sinks: sinks,
      scheduler: scheduler
    )
    return (report, sinks.map(\.bytes))
  }

  @Test(arguments: SampleFile.allCases)
  func rawsAloneAreNotDeveloped(file: SampleFile) throws {
    let input = try file.bytes(size: Self.size, scheduler: scheduler)
    let (report, files) = try render(
      input,
      [.init(), .init(bitDepth: .integer(8), preview: .none)]
    )
    #expect(report.stages.map(\.name) == ["decode", "encode dng0", "encode dng1"])
    #expect(report.settings.isEmpty)
    #expect(report.outputs.map(\.byteCount) == files.map(\.count))
    #expect(report.outputs.map(\.bitDepth).last == 8)
    #expect(report.outputs.allSatisfy { $0.format == .dng && $0.colorSpace == nil })
    let unchanged = try #require(report.outputs[0].raw)
    #expect(unchanged.isUnchanged && unchanged.error == nil && unchanged.leftOut.isEmpty)
    let reduced = try #require(report.outputs[1].raw)
    #expect(!reduced.isUnchanged && (reduced.error?.worstStepInSigma ?? 0) > 0)
    let before = try DNGReader.read(input, scheduler: scheduler)
    let after = try DNGReader.read(files[0], scheduler: scheduler)
    #expect(RawImageDigest.mosaicSHA256(before) == RawImageDigest.mosaicSHA256(after))
    #expect(try RenderReport(json: report.json) == report)
  }

  @Test func previewsAreOfTheRecipesDevelopment() throws {
    // A portrait, so that the stored preview is not the picture's way round.
    let input = try SampleFile.bayerPacked14Bit.bytes(size: Self.size, scheduler: scheduler)
    let (report, files) = try render(
      input,
      [.init(preview: .longEdge(128)), .init(preview: .full)]
    )
    #expect(report.stages.map(\.name) == ["decode", "develop", "encode dng0", "encode dng1"])
    for (file, size) in zip(files, [PixelSize(width: 128, height: 96), Self.size]) {
      let images = try DNGReader.inspect(file).images
      #expect(images.map(\.kind) == [.preview, .main, .preview])
      #expect(images[0].size == PixelSize(width: 256, height: 192))
      #expect(images[2].size == size)
      #expect(images[0].photometric == .yCbCr && images[0].compression == .jpeg)
    }
    // One output does not change another.
    #expect(try render(input, [.init(preview: .full)]).files[0] == files[1])
  }

  @Test func aMosaicOfAnotherKindIsStoredAnewAndNothingElse() throws {
    var input = try SampleFile.bayerPacked14Bit.bytes(size: Self.size, scheduler: scheduler)
    // CFAPlaneColor, a BYTE of three, with red and blue exchanged: no Bayer pattern that is developed.
    let entry: [UInt8] = [0x16, 0xC6, 1, 0, 3, 0, 0, 0, 0, 1, 2]
    let place = try #require(input.firstRange(of: entry))
    input.replaceSubrange(place, with: entry.dropLast(3) + [2, 1, 0])
    for settings in [
      OutputSpecification.DNGSettings(), .init(compression: .jpegXL), .init(bitDepth: .integer(10)),
    ] {
      let file = try render(input, [settings]).files[0]
      let comparison = try Renderer.compare(input, file, scheduler: scheduler)
      let samples = try #require(comparison.samples)
      #expect(samples.areStoredSamplesEqual || settings.bitDepth == .integer(10))
      #expect(samples.worstHalfSteps <= 1)
      #expect(try #require(comparison.tags).allSatisfy { $0.isRecomputed })
    }
    let refusal = RenderError.decode(
      .dng(.unsupported(.colorFilterArray("rggb with the planes bgr")))
    )
    for settings in [
      OutputSpecification.DNGSettings(linear: true), .init(preview: .full),
    ] {
      #expect(throws: refusal) { _ = try render(input, [settings]) }
    }
  }

  @Test func aMosaicCanBeStoredDemosaiced() throws {
    let input = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let (report, files) = try render(
      input,
      [.init(linear: true), .init(compression: .lossyJPEG, quality: 0.9, linear: true)]
    )
    #expect(report.stages.map(\.name) == ["decode", "encode dng0", "encode dng1"])
    let source = try DNGReader.inspect(input)
    let linear = try DNGReader.inspect(files[0])
    #expect(linear.raw.photometric == .linearRaw && linear.raw.samplesPerPixel == 3)
    #expect(linear.raw.size == source.activeArea.size)
    #expect(linear.cfaPattern == nil && linear.whiteLevel == [65_535, 65_535, 65_535])
    #expect(linear.color == source.color && linear.defaultCrop == source.defaultCrop)
    let lossy = try DNGReader.inspect(files[1])
    #expect(lossy.raw.compression == .lossyJPEG && lossy.linearizationTableCount == 256)
    // Of the coded tiles, which the reader has compared.
    #expect(report.outputs[1].raw?.rawImageDigest != nil)
    #expect(try DNGReader.read(files[1], scheduler: scheduler).description.warnings.isEmpty)
    // Both hold what is made of the mosaic: the first to the code, the second about.
    for (file, isEqual) in zip(files, [true, false]) {
      let comparison = try Renderer.compare(input, file, demosaics: true, scheduler: scheduler)
      let samples = try #require(comparison.samples)
      #expect(comparison.isDemosaiced && samples.areStoredSamplesEqual == isEqual)
      #expect(isEqual || (samples.psnr ?? 0) > 39)
      #expect(comparison.first.samplesSHA256 != comparison.second.samplesSHA256)
    }
    // Fewer bits: every sample has the nearest code.
    let nearest = try Renderer.compare(
      input,
      render(input, [.init(bitDepth: .integer(12), linear: true)]).files[0],
      demosaics: true,
      scheduler: scheduler
    )
    #expect((nearest.samples?.worstHalfSteps ?? 9) <= 1.000001)
    #expect((nearest.samples?.worstHalfSteps ?? 0) > 0.5)
    #expect(
      try Renderer.compare(input, files[0], scheduler: scheduler).shapeDifference != nil
    )
    // Means of each colour stay: of the mosaic's sites and of the planes.
    let mosaic = try DNGReader.read(input, scheduler: scheduler)
    let planes = try DNGReader.read(files[0], scheduler: scheduler)
    let pattern = try #require(source.cfaPattern).map { "rgb".firstIndex(of: $0) }
    for (color, name) in "rgb".enumerated() {
      var (sum, count) = (0.0, 0.0)
      for y in 0..<Self.size.height {
        for (x, sample) in mosaic.samples.values(ofRow: y).enumerated()
        where pattern[y % 2 * 2 + x % 2] == "rgb".firstIndex(of: name) {
          sum += sample
          count += 1
        }
      }
      let black = source.blackLevel.values[0]
      let expected = (sum / count - black) / (source.whiteLevel[0] - black)
      var total = 0.0
      for y in 0..<Self.size.height {
        let row = planes.samples.values(ofRow: y)
        for x in 0..<Self.size.width { total += row[3 * x + color] }
      }
      let mean = (total / Double(Self.size.pixelCount) - 2048) / (65_535 - 2048)
      #expect(abs(mean - expected) < 0.01 * expected + 0.001, "\(name)")
    }
  }

  @Test func aFileThatWouldGrowIsCopied() throws {
    let input = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let (report, files) = try render(
      input,
      [
        .init(compression: .none, keepSmaller: true),
        .init(bitDepth: .integer(8), keepSmaller: true),
      ]
    )
    #expect(files[0] == input)
    #expect(report.outputs[0].raw?.compression == "copy")
    #expect(files[1].count < input.count)
    #expect(report.outputs[1].raw?.compression == "losslessJPEG")
  }

  /// An archive of mixed DNGs: floating point has no lossless JPEG, and stays as it is where the recipe keeps
  /// what is smaller; a depth that is asked for is refused all the same.
  @Test func samplesThatTheCompressionCannotHoldAreCopied() throws {
    let bayer = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let (_, files) = try render(bayer, [.init(bitDepth: .float32, compression: .deflate)])
    let float = files[0]
    let (report, kept) = try render(float, [.init(keepSmaller: true)])
    #expect(kept[0] == float)
    #expect(report.outputs[0].raw?.compression == "copy")
    for settings in [
      OutputSpecification.DNGSettings(), .init(bitDepth: .float16, keepSmaller: true),
    ] {
      #expect(throws: RenderError.self) { try render(float, [settings]) }
    }
  }

  @Test func lossyJPEGNeedsDemosaicedSamples() throws {
    let input = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    let error = RenderError.write(.needsLinear(compression: "lossyJPEG"), outputID: "dng0")
    #expect(throws: error) {
      try render(input, [.init(compression: .lossyJPEG, quality: 0.9)])
    }
  }
}
