import ColorScience
import DNGFormat
import Diagnostics
import Digest
import ImageEncoding
import JSON
import Raster
import RawDecoding
import RawModel
import Recipe
import Rendering
import SampleScene
import TestSupport
import Testing

/// Linear outputs through the whole engine.
@Suite struct LinearRenderingTests {
  typealias Settings = OutputSpecification.LinearSettings

  static let size = PixelSize(width: 320, height: 240)

  static func sample(_ file: SampleFile = .bayerLosslessJPEG) throws -> [UInt8] {
    try file.bytes(size: size, scheduler: TileScheduler(laneCount: 2))
  }

  /// What one recipe makes: the report and the files, each output's picture and record in turn.
  static func render(
    _ input: [UInt8],
    _ settings: [Settings],
    develop: DevelopAdjustments = DevelopAdjustments(),
    lanes: Int = 2
  ) throws -> (report: RenderReport, files: [[UInt8]]) {
    let outputs = settings.enumerated().map { index, settings in
      OutputSpecification(
        id: "linear\(index)",
        suffix: "_\(index)",
        format: .linear(settings)
      )
    }
    let recipe = Recipe(develop: develop, outputs: outputs)
    let sinks = recipe.files.map { _ in MemorySink() }
    let report = try Renderer.render(
      input,
      inputName: "input.dng",
      recipe: recipe,
      sinks: sinks,
      scheduler: TileScheduler(laneCount: lanes)
    )
    return (report, sinks.map(\.bytes))
  }

  static func record(_ bytes: [UInt8]) throws -> JSONValue { try JSONParser.parse(bytes) }

  /// The samples of a NumPy file of single precision.
  static func samples(ofNPY file: [UInt8]) -> [Float] {
    let start = 10 + Int(file[8]) + Int(file[9]) << 8
    return stride(from: start, to: file.count, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(file[place + $1]) << (8 * $1) }
      )
    }
  }

  private static let everything: [Settings] = [
    Settings(), Settings(colorSpace: .acesAP0, format: .exr, sampleFormat: .float16),
    Settings(level: .whiteBalanced, format: .npy),
    Settings(level: .normalized, format: .dng),
    Settings(level: .normalized, format: .npy, mosaic: .planes),
    Settings(level: .stored, sampleFormat: .uint16),
    Settings(level: .linearized, format: .exr),
    Settings(sampleFormat: .uint16, maximum: 4),
  ]

  @Test(arguments: SampleFile.allCases)
  func everyFileIsReported(file: SampleFile) throws {
    let input = try Self.sample(file)
    let isMosaic = file != .linearRaw
    let settings = Self.everything.filter { isMosaic || $0.mosaic != .planes }
    let (report, files) = try Self.render(input, settings)
    #expect(report.outputs.map(\.byteCount) == files.map(\.count))
    #expect(report.stages.map(\.name).first == "decode")
    // No picture to be seen is made.
    #expect(!report.stages.map(\.name).contains("develop"))
    #expect(try RenderReport(json: report.json) == report)
    let pictures = stride(from: 0, to: files.count, by: 2).map { report.outputs[$0] }
    let records = stride(from: 1, to: files.count, by: 2).map { report.outputs[$0] }
    #expect(pictures.map(\.id) == settings.indices.map { "linear\($0)" })
    #expect(records.map(\.id) == settings.indices.map { "linear\($0).json" })
    #expect(records.allSatisfy { $0.format == .json && $0.size == nil && $0.bitDepth == nil })
    for (index, picture) in pictures.enumerated() {
      let record = try Self.record(files[2 * index + 1])
      #expect(record["level"] == .string(settings[index].level.rawValue))
      #expect(record["file"]?["byteCount"] == JSONValue(picture.byteCount))
      #expect(record["file"]?["width"] == JSONValue(picture.size?.width ?? 0))
      #expect(record["samples"]?["sha256"]?.stringValue == picture.linear?.samplesSHA256)
      #expect(record["input"]?["sha256"]?.stringValue == SHA256.digest(of: input).hex)
      #expect(record["resolvedDigest"]?.stringValue == report.resolvedDigest.hex)
    }
    for name in ["OpenEXR", "libtiff", "lcms2", "zlib"] {
      #expect(report.libraries.map(\.name).contains(name), "\(name)")
    }
  }

  @Test func threadsDoNotShow() throws {
    let input = try Self.sample()
    let one = try Self.render(input, Self.everything, lanes: 1).files
    #expect(try Self.render(input, Self.everything, lanes: 3).files == one)
  }

  /// An output is the same whether it is the only one or one of many, beside pictures and DNGs too.
  @Test func outputsDoNotDependOnEachOther() throws {
    let input = try Self.sample()
    let recipe = Recipe(outputs: [
      OutputSpecification(id: "tiff", format: .tiff(.init())),
      OutputSpecification(id: "linear", suffix: "_l", format: .linear(.init())),
      OutputSpecification(id: "dng", suffix: "_c", format: .dng(.init())),
    ])
    let sinks = recipe.files.map { _ in MemorySink() }
    _ = try Renderer.render(
      input,
      inputName: "input.dng",
      recipe: recipe,
      sinks: sinks,
      scheduler: TileScheduler(laneCount: 2)
    )
    for (output, place) in zip(recipe.outputs, [0, 1, 3]) {
      let alone = Recipe(outputs: [output])
      let files = alone.files.map { _ in MemorySink() }
      _ = try Renderer.render(
        input,
        inputName: "input.dng",
        recipe: alone,
        sinks: files,
        scheduler: TileScheduler(laneCount: 1)
      )
      #expect(files[0].bytes == sinks[place].bytes, "\(output.id)")
    }
  }

  /// Stored codes are the file's; a normalised one is (code - black) / (white - black) of the same place.
  @Test func levelsFollowFromTheCodes() throws {
    let input = try Self.sample()
    let (_, files) = try Self.render(
      input,
      [
        Settings(level: .stored, format: .npy),
        Settings(level: .normalized, format: .npy, mosaic: .cfa),
      ]
    )
    let frame = try DNGReader.read(input, scheduler: TileScheduler(laneCount: 1))
    let record = try Self.record(files[1])
    let left = Int(try #require(record["area"]?["left"]?.integerValue))
    let top = Int(try #require(record["area"]?["top"]?.integerValue))
    let width = Int(try #require(record["area"]?["width"]?.integerValue))
    let height = Int(try #require(record["area"]?["height"]?.integerValue))
    let codes = Self.samples(ofNPY: files[0])
    let normalized = Self.samples(ofNPY: files[2])
    #expect(codes.count == width * height && normalized.count == codes.count)
    let description = frame.description
    let white = description.whiteLevel[0]
    let active = description.activeArea
    var clipped = 0
    var wrong = 0
    for y in 0..<height {
      let row = frame.samples.values(ofRow: top + y)
      for x in 0..<width {
        let code = row[left + x]
        let black = description.blackLevel.level(
          row: top + y - active.top,
          column: left + x - active.left,
          sample: 0
        )
        if code >= white { clipped += 1 }
        let expected = min((code - black) / (white - description.blackLevel.highest(sample: 0)), 1)
        let index = y * width + x
        if Double(codes[index]) != code { wrong += 1 }
        if abs(Double(normalized[index]) - expected) >= 1e-6 { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    let counted = (record["sensorClipped"]?.objectValue ?? []).compactMap(\.value.integerValue)
    #expect(counted.count == 4 && Int(counted.reduce(0, +)) == clipped)
  }

  /// A float DNG is read back with the values that the array has.
  @Test func theDNGHasTheValues() throws {
    let input = try Self.sample()
    let (_, files) = try Self.render(
      input,
      [
        Settings(level: .normalized, format: .dng), Settings(level: .normalized, format: .npy),
        Settings(level: .normalized, format: .dng, sampleFormat: .float16),
      ]
    )
    let frame = try DNGReader.read(files[0], scheduler: TileScheduler(laneCount: 1))
    let source = try DNGReader.inspect(input)
    #expect(frame.description.layout == .linear(planes: 3))
    #expect(frame.description.sampleFormat == .floatingPoint)
    #expect(frame.description.whiteLevel == [1, 1, 1])
    #expect(frame.description.color == source.color)
    #expect(frame.description.size == source.activeArea.size)
    let array = Self.samples(ofNPY: files[2])
    let crop = frame.description.defaultCrop
    let (left, top) = (Int(crop.originX), Int(crop.originY))
    let width = Int(crop.width)
    var wrong = 0
    for y in 0..<Int(crop.height) {
      let row = frame.samples.values(ofRow: top + y)
      for x in 0..<3 * width where Double(array[3 * y * width + x]) != row[3 * left + x] {
        wrong += 1
      }
    }
    #expect(wrong == 0)
    let half = try DNGReader.read(files[4], scheduler: TileScheduler(laneCount: 1))
    #expect(half.description.bitsPerSample == 16)
  }

  /// The value that a code of 16 bits means, within half a step.
  @Test func aDeclaredScaleGivesTheValues() throws {
    let input = try Self.sample()
    let (report, files) = try Self.render(
      input,
      [Settings(format: .npy), Settings(format: .npy, sampleFormat: .uint16, maximum: 2)]
    )
    let step = try #require(try Self.record(files[3])["samples"]?["step"]?.doubleValue)
    #expect(step == 2.0 / 65_535)
    let values = Self.samples(ofNPY: files[0])
    let start = 10 + Int(files[2][8]) + Int(files[2][9]) << 8
    var lost = 0
    var wrong = 0
    for (index, value) in values.enumerated() {
      let code = Int(files[2][start + 2 * index]) | Int(files[2][start + 2 * index + 1]) << 8
      let isOutside = Double(value) < -step / 2 || Double(value) > 2 + step / 2
      if isOutside { lost += 1 }
      let bounded = min(max(Double(value), 0), 2)
      if abs(Double(code) * step - bounded) > step * 0.5001 { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(report.outputs[2].linear?.clippedCount == lost)
  }

  @Test func planesAreRefusedToDemosaicedRaws() throws {
    let input = try Self.sample(.linearRaw)
    let error = #expect(throws: RenderError.self) {
      try Self.render(input, [Settings(level: .normalized, format: .npy, mosaic: .planes)])
    }
    #expect(error?.code.rawValue == "mosaicMissing")
  }

  /// Every single write fails once: a typed error of the output.
  @Test func everyFailedWriteIsTyped() throws {
    let input = try Self.sample()
    let recipe = Recipe(outputs: [
      OutputSpecification(id: "linear", format: .linear(.init(format: .npy)))
    ])
    for failing in 0..<2 {
      let error = #expect(throws: RenderError.self) {
        try Renderer.render(
          input,
          recipe: recipe,
          sinks: [
            MemorySink(failingWrite: failing == 0 ? 0 : nil),
            MemorySink(failingWrite: failing == 1 ? 0 : nil),
          ],
          scheduler: TileScheduler(laneCount: 1)
        )
      }
      guard case .encode(.sink, outputID: "linear")? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
