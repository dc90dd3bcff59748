package import Develop
package import Digest
package import JSON
internal import RawModel
internal import Recipe

/// What a recipe means for one raw: the answer of `rawmill recipe explain`.
package struct Explanation: Equatable, Sendable {
  package var camera: CameraInformation
  package var recipeDigest: SHA256Digest
  /// Covers the recipe and every resolved setting.
  package var resolvedDigest: SHA256Digest
  package var settings: [RenderSetting]
  /// Numbers of the recipe's rules that hold for the raw, 1 for the first.
  package var rulesHolding: [Int]
  /// CIRAWFilter's flags of what can change the raw.
  package var supported: SupportedAdjustments
  /// What of the file breaks the specification and was read by its defaults.
  package var warnings: [String]
  /// Opcodes that the file has and a render leaves out.
  package var skippedOpcodes: [String]
  /// The steps of a render that change something, in their order.
  package var plan: [Step]

  /// One step of a render.
  package struct Step: Equatable, Sendable {
    /// `decode`, the name of a develop stage, or `encode` with the id of an output.
    package var name: String
    /// What is known of a develop stage; nil for the others.
    package var stage: StageSummary?

    package init(name: String, stage: StageSummary? = nil) {
      self.name = name
      self.stage = stage
    }
  }

  /// - Throws: `develop` for a raw that can't be developed.
  init(
    _ resolved: ResolvedRecipe,
    description: RawDescription,
    reachesWhite: Bool
  ) throws(RenderError) {
    rulesHolding = resolved.rulesHolding
    supported = SupportedAdjustments(description, reachesWhite: reachesWhite)
    warnings = description.warnings
    camera = CameraInformation(description.capture)
    recipeDigest = resolved.recipe.digest
    resolvedDigest = resolved.digest
    settings = resolved.settings
    skippedOpcodes = resolved.skippedOpcodes
    plan =
      try [Step(name: "decode")]
      + resolved.developStages(of: description).map { Step(name: $0.name, stage: $0) }
      + OutputPlan(resolved.recipe).ids.map { Step(name: "encode \($0)") }
  }

  /// The explanation as JSON; the plan only where it was asked for.
  package func json(includesPlan: Bool) -> JSONValue {
    .object(omittingAbsent: [
      "camera": camera.json,
      "recipeDigest": .string(recipeDigest.hex),
      "resolvedDigest": .string(resolvedDigest.hex),
      "pixelVersion": .init(PixelVersion.current),
      "settings": settings.json,
      "rulesHolding": .array(rulesHolding.map { .init($0) }),
      "supported": .object(supported.flags.map { ($0.name, .bool($0.value)) }),
      "warnings": .array(warnings.map { .string($0) }),
      "skippedOpcodes": .array(skippedOpcodes.map { .string($0) }),
      "plan": includesPlan ? .array(plan.map(\.json)) : nil,
    ])
  }
}

extension Explanation.Step {
  /// An object: the name and, for develop stages, what the plan knows of them.
  fileprivate var json: JSONValue {
    guard let stage else { return ["name": .string(name)] }
    return [
      "name": .string(name), "version": .init(stage.version), "kind": .string(stage.kind.rawValue),
      "halo": .init(stage.halo), "scratchBytes": .init(stage.scratchByteCount),
      "readsWholePicture": .bool(stage.readsWholePicture),
    ]
  }
}
