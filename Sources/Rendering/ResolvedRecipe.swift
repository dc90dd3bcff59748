internal import ColorScience
internal import Develop
internal import Digest
internal import JSON
internal import RawModel
internal import Recipe

/// A recipe and what it means for one raw.
struct ResolvedRecipe {
  let recipe: Recipe
  /// Nil where no output needs a developed picture.
  let development: DevelopSettings?
  let settings: [RenderSetting]
  /// Numbers of the recipe's rules that hold for the raw, 1 for the first.
  let rulesHolding: [Int]

  /// Opcodes of the file that are left out, in words.
  var skippedOpcodes: [String] { development?.skippedOpcodes ?? [] }

  /// - Throws: `develop` for a raw or a value that can't be used.
  init(
    _ recipe: Recipe,
    for description: RawDescription,
    isDeveloped: Bool,
    pickedWhite: Chromaticity? = nil
  ) throws(RenderError) {
    self.recipe = recipe
    let subject = RuleSubject(description.capture)
    rulesHolding = recipe.rulesHolding(for: subject)
    guard isDeveloped else {
      development = nil
      settings = []
      return
    }
    let development: DevelopSettings
    do throws(DevelopError) {
      development = try DevelopSettings(
        resolving: recipe.adjustments(for: subject),
        for: description,
        pickedWhite: pickedWhite
      )
    } catch {
      throw .develop(error)
    }
    self.development = development
    settings = development.resolved.map { RenderSetting($0) }
  }

  /// SHA-256 of the RFC 8785 form of the recipe with each resolved value: equal digests mean that the
  /// same was asked for and that the file said the same of the rest.
  var digest: SHA256Digest {
    let resolved: JSONValue = [
      "recipe": recipe.canonicalJSON,
      "resolved": .object(settings.map { ($0.name, $0.value) }),
    ]
    return SHA256.digest(of: resolved.bytes(.canonical))
  }
}

extension ResolvedRecipe {
  /// The stages of the development that change something of this raw: those of pictures that are seen, or
  /// where there are only linear ones, of the first of them.
  ///
  /// - Throws: `develop` for a raw that can't be developed.
  func developStages(of description: RawDescription) throws(RenderError) -> [StageSummary] {
    guard let development else { return [] }
    let plan = OutputPlan(recipe)
    do throws(DevelopError) {
      let level =
        plan.linearSteps.first?.settings.linearLevel
        ?? plan.statisticsSteps.lazy.compactMap(\.settings.areaHistogram?.space).first
        .map { LinearLevel.scene($0) }
      if plan.depths.isEmpty, let level {
        return try LinearDevelopment(description, settings: development, level: level).stages
      }
      return try Developer.stages(of: description, settings: development)
    } catch {
      throw .develop(error)
    }
  }
}

extension RuleSubject {
  /// What a raw's capture data says to rules.
  init(_ capture: CaptureMetadata) {
    self.init(
      isoSpeed: capture.isoSpeed,
      make: capture.make,
      model: capture.model,
      uniqueModel: capture.uniqueCameraModel,
      lens: capture.lensModel
    )
  }
}
