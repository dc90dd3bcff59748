internal import Develop
internal import Digest
internal import JSON
internal import RawModel
internal import Recipe

/// A recipe and what it means for one raw.
struct ResolvedRecipe {
  let recipe: Recipe
  let development: DevelopSettings
  let settings: [RenderSetting]

  /// Opcodes of the file that are left out, in words.
  var skippedOpcodes: [String] { development.skippedOpcodes }

  /// - Throws: `develop` for a raw or a value that can't be used.
  init(_ recipe: Recipe, for description: RawDescription) throws(RenderError) {
    self.recipe = recipe
    do throws(DevelopError) {
      development = try DevelopSettings(resolving: recipe.develop, for: description)
    } catch {
      throw .develop(error)
    }
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
  /// The stages of the development that change something of this raw.
  func developStages(of description: RawDescription) -> [String] {
    DevelopStage.allCases.filter { stage in
      switch stage {
      case .linearization, .workingColor, .output: true
      case .gainMap:
        description.opcodeList2.contains { opcode in
          if case .gainMap = opcode.operation { true } else { false }
        }
      case .demosaic:
        if case .mosaic = description.layout { true } else { false }
      case .tone:
        development.boostAmount > 0 || development.shadowBias * description.shadowScale > 0
      case .gamutMap: development.isGamutMappingEnabled
      }
    }.map(\.rawValue)
  }
}
