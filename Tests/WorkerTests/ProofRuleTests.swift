import JobModel
import Recipe
import Rendering
import Testing
import Worker

/// What a proof must show, by what the recipe asks for.
@Suite struct ProofRuleTests {
  private static func rule(
    _ settings: OutputSpecification.DNGSettings
  ) -> ProofRule? {
    ProofRule(OutputSpecification(id: "dng", format: .dng(settings)))
  }

  private static func samples(
    differing: Int64 = 0,
    areStoredSamplesEqual: Bool = false,
    halfSteps: Double = 0,
    psnr: Double? = nil
  ) -> SampleComparison {
    SampleComparison(
      count: 100,
      differing: differing,
      areStoredSamplesEqual: areStoredSamplesEqual,
      worstCodes: halfSteps,
      rmsCodes: 0,
      worstSigma: 0,
      rmsSigma: 0,
      worstHalfSteps: halfSteps,
      psnr: psnr
    )
  }

  @Test func losslessOutputsMayBeHalfAStepOff() throws {
    let rule = try #require(Self.rule(.init(bitDepth: .integer(10), keepSmaller: true)))
    #expect(rule == ProofRule(tolerance: .halfSteps(1), keepsSmaller: true))
    #expect(rule.verdict(Self.samples(areStoredSamplesEqual: true)) == .identical)
    #expect(rule.verdict(Self.samples()) == .equal)
    #expect(rule.verdict(Self.samples(differing: 1, halfSteps: 1)) == .nearest)
    #expect(rule.verdict(Self.samples(differing: 1, halfSteps: 1.001)) == nil)
    // 8 bits are dithered.
    let dithered = try #require(Self.rule(.init(bitDepth: .integer(8))))
    #expect(dithered.verdict(Self.samples(differing: 1, halfSteps: 2)) == .nearest)
  }

  @Test func linearOutputsHoldWhatIsMadeOfAMosaic() throws {
    let rule = try #require(Self.rule(.init(linear: true)))
    #expect(rule.demosaics)
    let same = Self.samples(areStoredSamplesEqual: true)
    #expect(rule.verdict(same, isDemosaiced: true) == .equal)
    // The input was linear itself.
    #expect(rule.verdict(same, isDemosaiced: false) == .identical)
    #expect(rule.verdict(Self.samples(differing: 1, halfSteps: 2), isDemosaiced: true) == nil)
  }

  @Test(
    "Lossy outputs must reach what their quality states",
    arguments: [
      (OutputSpecification.DNGSettings.Compression.jpegXL, 0.0, 30.0), (.jpegXL, 0.5, 35),
      (.jpegXL, 0.9, 39), (.jpegXL, 0.99, 48.9), (.lossyJPEG, 0.9, 39), (.lossyJPEG, 0.99, 39.9),
    ]
  )
  func lossy(
    compression: OutputSpecification.DNGSettings.Compression,
    quality: Double,
    least: Double
  ) throws {
    let rule = try #require(Self.rule(.init(compression: compression, quality: quality)))
    #expect(rule.verdict(Self.samples(differing: 100, psnr: least + 1e-6)) == .ratio)
    #expect(rule.verdict(Self.samples(differing: 100, psnr: least - 0.001)) == nil)
  }

  @Test func renderedOutputsHaveNoProof() {
    #expect(ProofRule(OutputSpecification(id: "tiff", format: .tiff(.init()))) == nil)
  }
}
