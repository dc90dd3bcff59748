internal import DNGFormat
internal import Develop
internal import ImageEncoding
internal import Raster
internal import RawModel
internal import Recipe
internal import Rendering

extension Bench {
  /// The demosaic kernel alone, on linear samples that are in memory.
  static let developDemosaic = Bench(
    name: "develop.demosaic",
    summary: "Menon (2007) with refining, from a plane of floats to three"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    guard case .mosaic(let pattern) = frame.description.layout else {
      throw BenchError.input("develop.demosaic wants a Bayer raw")
    }
    let size = frame.description.size
    let white = Float(frame.description.whiteLevel[0])
    var mosaic = try Plane<Float>(width: size.width, height: size.height)
    for y in 0..<size.height {
      let source = frame.samples.values(ofRow: y)
      mosaic.withMutableRow(y) { row in
        for x in row.indices { row[x] = Float(source[x]) / white }
      }
    }
    let plane = mosaic
    return Prepared(megapixels: size.megapixels) {
      _ = try Demosaicer.menon(plane, pattern: pattern, scheduler: input.scheduler)
    }
  }

  /// From the file to a finished 8-bit picture, without encoding it.
  static let developFull = Bench(
    name: "develop.full",
    summary: "read, decode and develop a raw to an 8-bit picture with the default recipe"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    return Prepared(megapixels: frame.description.size.megapixels) {
      _ = try developed(input)
    }
  }

  /// The same with the stages that look at neighbours: noise reduction, sharpening and local tone mapping.
  static let developDetail = Bench(
    name: "develop.detail",
    summary: "the same with noise reduction, sharpening and local contrast compression"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    var adjustments = DevelopAdjustments()
    adjustments.luminanceNoiseReductionAmount = 0.5
    adjustments.colorNoiseReductionAmount = 0.5
    adjustments.sharpnessAmount = 0.5
    adjustments.localContrastCompress = 0.5
    let asked = adjustments
    return Prepared(megapixels: frame.description.size.megapixels) {
      _ = try developed(input, asked)
    }
  }

  /// From the file to a finished 8-bit picture of half the size.
  static let developDraft = Bench(
    name: "develop.draft",
    summary:
      "read, decode and develop a raw to an 8-bit picture of half the size (isDraftModeEnabled)"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    var draft = DevelopAdjustments()
    draft.isDraftModeEnabled = true
    let adjustments = draft
    return Prepared(megapixels: frame.description.size.megapixels) {
      _ = try developed(input, adjustments)
    }
  }

  /// The encoder alone, on a developed picture.
  static let heicEncode = Bench(
    name: "heic.encode",
    summary: "encode a developed picture as HEIC with the default quality"
  ) { input in
    var result = try developed(input)
    let size = result.size
    guard let picture = result.rgb8.take() else { throw BenchError.input("no 8-bit picture") }
    let settings = HEICSettings(threadCount: input.threads)
    return Prepared(megapixels: size.megapixels) {
      _ = try HEICEncoder.encode(
        keeping: picture,
        settings: settings,
        metadata: ImageMetadata(),
        to: MemorySink()
      )
    }
  }

  /// A whole job of the image engine: from the file to the bytes of a HEIC.
  static let renderHEIC = Bench(
    name: "render.heic",
    summary: "the whole image engine: from the file to a HEIC in memory"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    let recipe = Recipe(outputs: [
      OutputSpecification(id: "heic", format: .heic(OutputSpecification.HEICSettings()))
    ])
    return Prepared(megapixels: frame.description.size.megapixels) {
      _ = try Renderer.render(
        input.bytes(),
        recipe: recipe,
        sinks: [MemorySink()],
        scheduler: input.scheduler
      )
    }
  }

  private static func developed(
    _ input: BenchInput,
    _ adjustments: DevelopAdjustments = DevelopAdjustments()
  ) throws -> DevelopedPicture {
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    return try Developer.develop(
      frame,
      settings: DevelopSettings(resolving: adjustments, for: frame.description),
      depths: [.eight],
      scheduler: input.scheduler
    )
  }
}
