import DNGFormat
import ImageEncoding
import Raster
import RawModel
import Recipe
import Rendering
import SampleScene
import TestSupport
import Testing

/// Integer raws stored as floating point: the copy renders as its source does.
@Suite struct FloatCopyTests {
  typealias BitDepth = OutputSpecification.DNGSettings.BitDepth

  private static let scheduler = TileScheduler(laneCount: 2)
  private static let size = PixelSize(width: 320, height: 240)

  /// A mosaic whose black differs from photosite to photosite, with masked pixels and deltas.
  private static func source() throws -> [UInt8] {
    let frame = try SampleScene(size: size, kind: .mosaic).frame(scheduler: scheduler)
    var description = frame.description
    let active = Region(left: 6, top: 3, width: 308, height: 230)
    description.activeArea = active
    description.defaultCrop = DefaultCrop(
      originX: 4,
      originY: 4,
      width: Double(active.width - 8),
      height: Double(active.height - 8)
    )
    description.blackLevel = BlackLevel(
      repeatRows: 4,
      repeatColumns: 4,
      samplesPerPixel: 1,
      values: (0..<16).map { 400 + Double($0 * 7 % 16) * 60 },
      deltaH: (0..<active.width).map { Double($0 % 5) },
      deltaV: (0..<active.height).map { Double($0 % 3) }
    )
    description.whiteLevel = [15_520]
    var samples = try Plane<UInt16>(width: size.width, height: size.height)
    for y in 0..<size.height {
      samples.withMutableRow(y) { row in
        // A ramp of light from below black to above white, over the black of its place.
        for x in row.indices {
          let (column, line) = (x - active.left, y - active.top)
          let place = (line & 3) * 4 + column & 3
          let deltaH = active.columns.contains(x) ? column % 5 : 0
          let deltaV = active.rows.contains(y) ? line % 3 : 0
          let black: Int = 400 + place * 7 % 16 * 60 + deltaH + deltaV
          let light: Int = 14_600 * (y * size.width + x) / size.pixelCount - 80
          row[x] = UInt16(black + light)
        }
      }
    }
    return try DNGWriter.write(
      RawFrame(samples: samples, description: description),
      encoding: .losslessJPEG(),
      metadata: DNGMetadata(software: "test", noiseProfile: (1e-4, 1e-6)),
      scheduler: scheduler
    )
  }

  private static func copy(
    of input: [UInt8],
    _ depth: BitDepth
  ) throws -> (file: [UInt8], raw: RawOutputReport) {
    let recipe = Recipe(outputs: [
      OutputSpecification(
        id: "dng",
        format: .dng(.init(bitDepth: depth, compression: .deflate, preview: .none))
      )
    ])
    let sink = MemorySink()
    let report = try Renderer.render(input, recipe: recipe, sinks: [sink], scheduler: scheduler)
    return (sink.bytes, try #require(report.outputs[0].raw))
  }

  private static func agrees(_ input: [UInt8], _ depth: BitDepth) throws {
    let (file, raw) = try copy(of: input, depth)
    // Of values up to 2.
    let rounding: Double = depth == .float16 ? 1.0 / 2048 : 1.0 / 16_777_216
    let settings: [OutputSpecification.LinearSettings] = [
      .init(level: .normalized, format: .npy, mosaic: .cfa),
      .init(level: .scene, format: .npy),
    ]
    let ours = try LinearRenderingTests.render(file, settings).files
    let theirs = try LinearRenderingTests.render(input, settings).files
    for (index, tolerance) in [(0, 2 * rounding), (2, 64 * rounding)] {
      let left = LinearRenderingTests.samples(ofNPY: ours[index])
      let right = LinearRenderingTests.samples(ofNPY: theirs[index])
      #expect(left.count == right.count && left.count > 60_000)
      let errors = zip(left, right).map { abs(Double($0) - Double($1)) }
      // A demosaic may decide another way where directions are as good.
      let others = errors.count { $0 >= tolerance }
      #expect(others <= (index == 0 ? 0 : errors.count / 1_000), "\(index): \(errors.max() ?? 0)")
    }
    let comparison = try Renderer.compare(input, file, scheduler: scheduler)
    let samples = try #require(comparison.samples)
    #expect(samples.worstHalfSteps <= 1.001, "\(samples)")
    #expect(samples.worstCodes < 32_000 * rounding)
    // The writer's own account says the same.
    let error = try #require(raw.error)
    #expect(abs(error.worstInCodes - samples.worstCodes) < 1e-6, "\(error)")
  }

  @Test(arguments: [OutputSpecification.DNGSettings.BitDepth.float32, .float16])
  func aBlackOfEachPhotosite(depth: BitDepth) throws {
    try Self.agrees(Self.source(), depth)
  }

  @Test(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
  func ofTheCorpus() throws {
    try Self.agrees(Corpus.bytes("edge/blacklevel_4x4.dng"), .float32)
  }
}
