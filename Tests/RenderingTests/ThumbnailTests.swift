import DNGFormat
import ImageEncoding
import JPEGCodec
import Raster
import Recipe
import Rendering
import SampleScene
import Testing

/// Small pictures of what the engine writes.
@Suite struct ThumbnailTests {
  private static let size = PixelSize(width: 640, height: 480)
  private let scheduler = TileScheduler(laneCount: 2)

  /// The files of some outputs of a sample.
  private func render(
    _ sample: SampleFile,
    _ formats: [OutputSpecification.Format]
  ) throws -> [[UInt8]] {
    let outputs = formats.enumerated().map {
      OutputSpecification(id: "o\($0.offset)", suffix: "_\($0.offset)", format: $0.element)
    }
    let sinks = outputs.map { _ in MemorySink() }
    _ = try Renderer.render(
      sample.bytes(size: Self.size, scheduler: scheduler),
      recipe: Recipe(outputs: outputs),
      sinks: sinks,
      scheduler: scheduler
    )
    return sinks.map(\.bytes)
  }

  private func samples(_ thumbnail: Thumbnail) throws -> [UInt8] {
    var samples: [UInt8] = []
    try JPEGDecoder.decode(
      thumbnail.jpeg,
      range: 0..<thumbnail.jpeg.count,
      size: thumbnail.size,
      components: 3,
      color: .rgb,
      into: &samples
    )
    return samples
  }

  /// The means of blocks of 8 x 8 pixels, for each channel.
  private func blocks(_ samples: [UInt8], _ size: PixelSize) -> [Double] {
    var sums = [Double](repeating: 0, count: 3 * (size.width / 8) * (size.height / 8))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let block = y / 8 * (size.width / 8) + x / 8
        for channel in 0..<3 {
          sums[3 * block + channel] += Double(samples[3 * (y * size.width + x) + channel]) / 64
        }
      }
    }
    return sums
  }

  /// Every format shows the same picture, the right way up, in one colour space.
  @Test(arguments: [SampleFile.bayerLosslessJPEG, .bayerPacked14Bit])
  func everyFormatShowsTheSamePicture(sample: SampleFile) throws {
    let files = try render(
      sample,
      [
        .tiff(.init(bitDepth: 8)), .tiff(.init(bitDepth: 16)), .heic(.init()),
        .dng(.init(preview: .full)),
      ]
    )
    let thumbnails = try files.map { (file) throws in
      try Renderer.thumbnail(file, longEdge: 160)
    }
    let isPortrait = sample == .bayerPacked14Bit
    let size = PixelSize(width: isPortrait ? 120 : 160, height: isPortrait ? 160 : 120)
    #expect(thumbnails.map(\.size) == thumbnails.map { _ in size })
    #expect(thumbnails.allSatisfy { $0.jpeg.count <= Thumbnail.byteLimit })
    // In blocks of 8 x 8 pixels, so that fine detail, which each format's thumbnail has its own way with,
    // does not count; 3 of 255 codes are the codecs' part.
    let first = blocks(try samples(thumbnails[0]), size)
    for (index, thumbnail) in thumbnails.enumerated().dropFirst() {
      let other = blocks(try samples(thumbnail), size)
      let mean = zip(first, other).map { abs($0 - $1) }.reduce(0, +) / Double(first.count)
      #expect(mean < 3, "\(index): \(mean)")
    }
    // It shows something, and a turned or mirrored one would be found out.
    let turned = zip(first, first.reversed()).map { abs($0 - $1) }.reduce(0, +)
    #expect(turned / Double(first.count) > 12)
  }

  @Test func aSmallPictureKeepsItsSize() throws {
    let file = try render(.bayerLosslessJPEG, [.tiff(.init(bitDepth: 8))])[0]
    #expect(try Renderer.thumbnail(file, longEdge: 5_000).size == Self.size)
    #expect(try Renderer.thumbnail(file, longEdge: 1).size == PixelSize(width: 1, height: 1))
  }

  /// Noise at the worst: it is made smaller by quality, not in size.
  @Test func bytesAreBounded() throws {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    var plane = try Plane<UInt8>(width: 3 * 240, height: 240)
    for y in 0..<240 {
      plane.withMutableRow(y) { row in
        for x in 0..<row.count {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          row[x] = UInt8(truncatingIfNeeded: state >> 56)
        }
      }
    }
    let sink = MemorySink()
    _ = try TIFFEncoder.encode(plane, settings: TIFFSettings(), metadata: ImageMetadata(), to: sink)
    let thumbnail = try Renderer.thumbnail(sink.bytes, longEdge: 240)
    #expect(thumbnail.size == PixelSize(width: 240, height: 240))
    #expect((10_000...Thumbnail.byteLimit).contains(thumbnail.jpeg.count))
  }

  @Test func whatIsNoPictureSaysSo() throws {
    for bytes in [[], [1, 2, 3], Array("{\"histogram\":[]}".utf8)] as [[UInt8]] {
      #expect(throws: ThumbnailError.noPicture) {
        try Renderer.thumbnail(bytes, longEdge: 240)
      }
    }
    // A raw without a preview, and a TIFF that is compressed.
    let raw = try SampleFile.bayerLosslessJPEG.bytes(size: Self.size, scheduler: scheduler)
    #expect(try DNGReader.inspect(raw).largestPreview == nil)
    #expect(throws: ThumbnailError.noPicture) { try Renderer.thumbnail(raw, longEdge: 240) }
  }

  /// Damage anywhere is an error, never a trap.
  ///
  /// HEIC is libheif's, in a child process for that reason.
  @Test func damageIsAnError() throws {
    let files = try render(
      .bayerLosslessJPEG,
      [.tiff(.init(bitDepth: 16)), .dng(.init(preview: .longEdge(128)))]
    )
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    var failures = 0
    func look(_ bytes: [UInt8]) {
      do { _ = try Renderer.thumbnail(bytes, longEdge: 64) } catch { failures += 1 }
    }
    for file in files {
      for length in [0, 4, 8, 12, 16, 100, file.count / 2] { look(Array(file.prefix(length))) }
      for _ in 0..<200 {
        var damaged = file
        for _ in 0..<4 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          // Mostly in the structure at the front.
          let place = Int(state >> 33) % (state >> 8 & 3 > 0 ? min(2_000, file.count) : file.count)
          damaged[place] = UInt8(truncatingIfNeeded: state >> 20)
        }
        look(damaged)
      }
    }
    #expect(failures > 20)
  }
}
