import ColorScience
import DNGFormat
import Digest
import JSON
import Raster
import RawModel
import Rendering
import SampleScene
import Testing

/// Comparisons of DNGs whose difference is known in closed form.
@Suite struct RawComparisonTests {
  private static let scheduler = TileScheduler(laneCount: 2)
  private static let size = PixelSize(width: 40, height: 24)
  private static var count: Double { Double(size.pixelCount) }
  /// Variance scale · x + offset.
  private static let noise = (scale: 1e-4, offset: 1e-6)

  /// A 14-bit mosaic of a ramp, changed, as a file.
  private func dng(
    _ encoding: DNGEncoding = .losslessJPEG(),
    change: (inout RawDescription) -> Void = { _ in },
    sample: (_ x: Int, _ y: Int, _ ramp: UInt16) -> UInt16 = { _, _, ramp in ramp }
  ) throws -> [UInt8] {
    let frame = try SampleScene(size: Self.size, kind: .mosaic).frame(scheduler: Self.scheduler)
    var description = frame.description
    description.blackLevel = BlackLevel(
      repeatRows: 1,
      repeatColumns: 1,
      samplesPerPixel: 1,
      values: [1_000]
    )
    description.whiteLevel = [15_000]
    change(&description)
    var plane = try Plane<UInt16>(width: Self.size.width, height: Self.size.height)
    for y in 0..<Self.size.height {
      plane.withMutableRow(y) { row in
        for x in row.indices {
          let ramp = UInt16(1_000 + 14 * (y * Self.size.width + x))
          row[x] = sample(x, y, ramp)
        }
      }
    }
    return try DNGWriter.write(
      RawFrame(samples: plane, description: description),
      encoding: encoding,
      metadata: DNGMetadata(software: "test", noiseProfile: Self.noise),
      scheduler: Self.scheduler
    )
  }

  private func compare(_ first: [UInt8], _ second: [UInt8]) throws -> RawComparison {
    let comparison = try Renderer.compare(first, second, scheduler: Self.scheduler)
    // What the child says reaches the worker unchanged.
    let json = try JSONParser.parse(comparison.json.bytes(.compact))
    #expect(try RawComparison(json: json) == comparison)
    return comparison
  }

  @Test func aFileEqualsItself() throws {
    let file = try dng()
    let comparison = try compare(file, file)
    let samples = try #require(comparison.samples)
    #expect(samples.areEqual && samples.areStoredSamplesEqual)
    #expect(samples.count == Int64(Self.count))
    #expect(samples.worstCodes == 0 && samples.rmsCodes == 0 && samples.worstHalfSteps == 0)
    #expect(samples.psnr == nil)
    #expect(comparison.tags == [])
    #expect(comparison.first == comparison.second)
    #expect(comparison.first.sha256 == SHA256.digest(of: file))
  }

  @Test func anotherCodingOfTheSameSamplesDiffersInItsTagsAlone() throws {
    let comparison = try compare(dng(), dng(.uncompressed))
    #expect(comparison.samples?.areStoredSamplesEqual == true)
    #expect(comparison.first.samplesSHA256 == comparison.second.samplesSHA256)
    let tags = try #require(comparison.tags)
    #expect(tags.contains { $0.tag == "Compression" && $0.first == "7" && $0.second == "1" })
    let other = tags.filter { !$0.isRecomputed }
    #expect(other == [])
  }

  @Test func oneSampleIsMeasuredInCodesSigmaAndDecibels() throws {
    // The sample at (5, 3) has the ramp's code 1000 + 14 · 125 = 2750: light 0.125.
    let second = try dng(sample: { x, y, ramp in x == 5 && y == 3 ? ramp + 7 : ramp })
    let comparison = try compare(dng(), second)
    let samples = try #require(comparison.samples)
    #expect(!samples.areEqual && !samples.areStoredSamplesEqual)
    #expect(samples.differing == 1)
    #expect(samples.worstCodes == 7)
    let root: Double = Self.count.squareRoot()
    #expect(abs(samples.rmsCodes - 7 / root) < 1e-12)
    let variance: Double = Self.noise.scale * 0.125 + Self.noise.offset
    let sigmas: Double = 7.0 / 14_000 / variance.squareRoot()
    #expect(abs(samples.worstSigma - sigmas) < 1e-9)
    #expect(abs(samples.rmsSigma - sigmas / root) < 1e-9)
    // A code without a table is one step from the next.
    #expect(samples.worstHalfSteps == 14)
    // 20 log10 of range over error, for one of n samples.
    let psnr: Double = 20 * PortableMath.log(2_000 * root) / PortableMath.log(10)
    #expect(abs((samples.psnr ?? 0) - psnr) < 1e-9)
    let tags = comparison.tags ?? []
    #expect(tags.map(\.tag) == ["NewRawImageDigest"])
  }

  @Test func roundingToATableIsHalfAStep() throws {
    // 8-bit codes 60 apart from 1000: a ramp in steps of 14 reaches half the step and no more.
    let table = (0..<256).map { UInt16(min(1_000 + 60 * $0, 16_000)) }
    func coded(_ ramp: UInt16) -> UInt16 { (ramp - 1_000 + 30) / 60 }
    func change(_ description: inout RawDescription) {
      description.bitsPerSample = 8
      description.linearizationTable = table
    }
    let nearest = try #require(
      try compare(dng(), dng(change: change, sample: { _, _, ramp in coded(ramp) })).samples
    )
    #expect(nearest.worstCodes == 30 || nearest.worstCodes == 28)
    #expect(nearest.worstHalfSteps <= 1 && nearest.worstHalfSteps > 0.9)
    #expect(SampleTolerance.halfSteps(1).allows(nearest))
    #expect(!SampleTolerance.codes(20).allows(nearest) && SampleTolerance.codes(30).allows(nearest))
    let off = try #require(
      try compare(
        dng(),
        dng(change: change, sample: { x, y, ramp in coded(ramp) + (x == 0 && y == 9 ? 1 : 0) })
      ).samples
    )
    #expect(off.worstHalfSteps > 1)
    #expect(!SampleTolerance.halfSteps(1).allows(off))
  }

  @Test func equalLinearCodesAreEqualHoweverTheyAreStored() throws {
    let table = (0..<4_096).map { UInt16(min(1_000 + 14 * $0, 65_535)) }
    let second = try dng(
      change: {
        $0.bitsPerSample = 12
        $0.linearizationTable = table
      },
      sample: { _, _, ramp in (ramp - 1_000) / 14 }
    )
    let comparison = try compare(dng(), second)
    #expect(comparison.samples?.areEqual == true)
    #expect(comparison.samples?.areStoredSamplesEqual == false)
    #expect(comparison.first.samplesSHA256 != comparison.second.samplesSHA256)
    #expect(comparison.samples?.worstHalfSteps == 0)
  }

  @Test func otherLevelsOfTheSameLightAreEqual() throws {
    let second = try dng(
      change: {
        $0.bitsPerSample = 16
        $0.whiteLevel = [28_500]
        $0.blackLevel = BlackLevel(
          repeatRows: 1,
          repeatColumns: 1,
          samplesPerPixel: 1,
          values: [500]
        )
      },
      sample: { _, _, ramp in 2 * (ramp - 1_000) + 500 }
    )
    let same = try compare(dng(), second)
    #expect(same.samples?.areEqual == true)
    // And one step of the second is half a code of the first.
    let off = try dng(
      change: {
        $0.bitsPerSample = 16
        $0.whiteLevel = [28_500]
        $0.blackLevel = BlackLevel(
          repeatRows: 1,
          repeatColumns: 1,
          samplesPerPixel: 1,
          values: [500]
        )
      },
      sample: { x, y, ramp in 2 * (ramp - 1_000) + 500 + (x + y == 0 ? 1 : 0) }
    )
    let samples = try #require(try compare(dng(), off).samples)
    #expect(samples.differing == 1)
    #expect(abs(samples.worstCodes - 0.5) < 1e-9)
    #expect(abs(samples.worstHalfSteps - 2) < 1e-9)
  }

  @Test func otherShapesHaveNoCounterparts() throws {
    let linear = try SampleFile.linearRaw.bytes(size: Self.size, scheduler: Self.scheduler)
    let comparison = try compare(dng(), linear)
    #expect(comparison.samples == nil)
    #expect(comparison.shapeDifference == "mosaic rggb and linear with 3 planes")
    let small = try SampleFile.bayerLosslessJPEG.bytes(
      size: PixelSize(width: 16, height: 8),
      scheduler: Self.scheduler
    )
    let other = try compare(dng(), small)
    #expect(other.shapeDifference == "40x24 and 16x8")
  }

  @Test func whatIsNoRawIsRefused() throws {
    let file = try dng()
    #expect(throws: RenderError.self) {
      try Renderer.compare(file, [1, 2, 3], scheduler: Self.scheduler)
    }
  }

  @Test(arguments: [
    ("0", SampleTolerance.equal), ("4", .codes(4)), ("0.5", .codes(0.5)), ("60dB", .psnr(60)),
    ("0.5step", .halfSteps(1)), ("3step", .halfSteps(6)),
  ])
  func tolerancesAreRead(text: String, expected: SampleTolerance) {
    #expect(StatedTolerance(text) == .fixed(expected))
    #expect(StatedTolerance(text)?.ofCopy(bits: 8) == expected)
  }

  @Test func aStepIsWhatTheCopysDepthLeaves() {
    #expect(StatedTolerance("step")?.ofCopy(bits: 8) == .halfSteps(2))
    #expect(StatedTolerance("step")?.ofCopy(bits: 9) == .halfSteps(1))
    #expect(StatedTolerance("step")?.ofCopy(bits: 16) == .halfSteps(1))
  }

  @Test(arguments: ["", "-1", "dB", "-3dB", "nan", "inf", "steps", "4 codes", "0step", "-1step"])
  func otherTolerancesAreNone(text: String) {
    #expect(StatedTolerance(text) == nil)
  }
}
