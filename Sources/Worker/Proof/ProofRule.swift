internal import JSON
package import JobModel
package import Recipe
package import Rendering

/// What a fresh decode of an output must show, by what its recipe asks for.
package struct ProofRule: Equatable, Sendable {
  /// How far samples may be from the input's where they are not the same.
  package let tolerance: SampleTolerance
  /// Whether an output that would be larger than its input is the input's own bytes.
  package let keepsSmaller: Bool

  package init(tolerance: SampleTolerance, keepsSmaller: Bool) {
    self.tolerance = tolerance
    self.keepsSmaller = keepsSmaller
  }

  /// What a lossy output must reach in dB, whatever its quality: below it a sample is off by more than a
  /// thirtieth of the range on average, which no quality asks for and a broken stream soon reaches.
  private static let lossyFloor = 30.0

  /// The rule of each output of a recipe, in its order; nil for outputs that are rendered.
  static func rules(ofRecipe json: JSONValue) throws(WorkerError) -> [ProofRule?] {
    do throws(RecipeError) {
      return try Recipe(json: json).outputs.map { ProofRule($0) }
    } catch {
      throw .child(RemoteFailure(error))
    }
  }

  /// The rule of an output; nil for one that is rendered and has no samples of the input's.
  package init?(_ output: OutputSpecification) {
    guard case .dng(let settings) = output.format, !settings.linear else { return nil }
    let tolerance: SampleTolerance
    if settings.quality < 1 {
      tolerance = .psnr(Self.lossyFloor)
    } else {
      // Dither moves a sample to the code on either side of it.
      tolerance = .halfSteps(settings.bitDepth == .integer(8) ? 2 : 1)
    }
    self.init(tolerance: tolerance, keepsSmaller: settings.keepSmaller)
  }

  /// The verdict on a comparison; nil: the output is not what was asked for.
  package func verdict(_ samples: SampleComparison) -> ProofVerdict? {
    if samples.areEqual { return samples.areStoredSamplesEqual ? .identical : .equal }
    guard tolerance.allows(samples) else { return nil }
    if case .psnr = tolerance { return .ratio }
    return .nearest
  }
}
