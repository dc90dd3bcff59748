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
  /// Whether a mosaic's samples are demosaiced before they are compared: the output holds what is made of
  /// them.
  package let demosaics: Bool

  package init(tolerance: SampleTolerance, keepsSmaller: Bool, demosaics: Bool = false) {
    self.tolerance = tolerance
    self.keepsSmaller = keepsSmaller
    self.demosaics = demosaics
  }

  /// What a lossy output must reach in dB: 30, ten times the quality more, and for JPEG XL another decibel
  /// for each hundredth of quality above 0.9, where its distance goes to zero.
  ///
  /// Photographs reach 6 to 15 dB more at any quality; a stream that is broken in one tile of a hundred does
  /// not reach 30.
  private static func leastRatio(_ settings: OutputSpecification.DNGSettings) -> Double {
    let least = 30 + 10 * settings.quality
    guard settings.compression == .jpegXL else { return least }
    return least + 100 * max(0, settings.quality - 0.9)
  }

  /// The rule of each file of a recipe (its JSON), in its order; nil for those that are rendered.
  static func rules(ofRecipe json: JSONValue) throws(WorkerError) -> [ProofRule?] {
    do throws(RecipeError) {
      return rules(of: try Recipe(json: json))
    } catch {
      throw .child(RemoteFailure(error))
    }
  }

  /// The rule of each file of a recipe, in its order; nil for those that are rendered.
  package static func rules(of recipe: Recipe) -> [ProofRule?] {
    recipe.files.map { $0.isPrincipal ? ProofRule(recipe.outputs[$0.outputIndex]) : nil }
  }

  /// The rule of an output; nil for one that is rendered and has no samples of the input's.
  ///
  /// A linear output has those that are made of the input's, by arithmetic that gives the same samples
  /// anywhere.
  package init?(_ output: OutputSpecification) {
    guard case .dng(let settings) = output.format else { return nil }
    let tolerance: SampleTolerance
    if settings.quality < 1 {
      tolerance = .psnr(Self.leastRatio(settings))
    } else {
      tolerance =
        if case .integer(let bits) = settings.bitDepth {
          .coding(bits: bits)
        } else {
          .halfSteps(1)
        }
    }
    self.init(
      tolerance: tolerance,
      keepsSmaller: settings.keepSmaller,
      demosaics: settings.linear
    )
  }

  /// The verdict on a comparison; nil: the output is not what was asked for.
  ///
  /// What is made of a mosaic is never its own samples, however equal.
  package func verdict(_ samples: SampleComparison, isDemosaiced: Bool = false) -> ProofVerdict? {
    if samples.areEqual {
      return samples.areStoredSamplesEqual && !isDemosaiced ? .identical : .equal
    }
    guard tolerance.allows(samples) else { return nil }
    if case .psnr = tolerance { return .ratio }
    return .nearest
  }
}
