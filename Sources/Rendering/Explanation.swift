internal import Develop
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
  /// Opcodes that the file has and a render leaves out.
  package var skippedOpcodes: [String]
  /// The stages of a render that change something, in their order.
  package var plan: [String]

  init(_ resolved: ResolvedRecipe, description: RawDescription) {
    camera = CameraInformation(description.capture)
    recipeDigest = resolved.recipe.digest
    resolvedDigest = resolved.digest
    settings = resolved.settings
    skippedOpcodes = resolved.skippedOpcodes
    plan =
      ["decode"] + resolved.developStages(of: description)
      + OutputPlan(resolved.recipe).steps.map { "encode \($0.output.id)" }
  }

  /// The explanation as JSON; the plan only where it was asked for.
  package func json(includesPlan: Bool) -> JSONValue {
    .object(omittingAbsent: [
      "camera": camera.json,
      "recipeDigest": .string(recipeDigest.hex),
      "resolvedDigest": .string(resolvedDigest.hex),
      "pixelVersion": .init(PixelVersion.current),
      "settings": settings.json,
      "skippedOpcodes": .array(skippedOpcodes.map { .string($0) }),
      "plan": includesPlan ? .array(plan.map { .string($0) }) : nil,
    ])
  }
}
