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
  var skippedOpcodes: [String] { [] }

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

  /// SHA-256 of the RFC 8785 form of the recipe with each resolved value: equal for jobs that ask for the
  /// same picture of the same file, whether a value was written down or came from the file.
  var digest: SHA256Digest {
    let resolved: JSONValue = [
      "recipe": recipe.canonicalJSON,
      "resolved": .object(settings.map { ($0.name, $0.value) }),
    ]
    return SHA256.digest(of: resolved.bytes(.canonical))
  }
}

extension ResolvedRecipe {
  /// The stages of the development that this raw goes through.
  func developStages(of layout: SampleLayout) -> [String] { ["develop"] }
}
