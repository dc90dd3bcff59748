package import JSON

extension Recipe {
  /// The version of the recipe language that this program reads.
  package static let currentVersion = 1

  /// What `run` and `develop` use where no recipe is given: HEIC, Display P3, 8 bit, quality 0.9.
  package static let standard = Recipe(
    name: "standard",
    outputs: [OutputSpecification(id: "heic", format: .heic(.init()))]
  )

  /// Reads a recipe that a person wrote; the error names every problem that was found.
  package static func parse(_ text: [UInt8], format: RecipeFormat) throws(RecipeError) -> Recipe {
    try parse(text, format: format, byteLimit: RecipeLimits.byteCount)
  }

  private static func parse(
    _ text: [UInt8],
    format: RecipeFormat,
    byteLimit: Int
  ) throws(RecipeError) -> Recipe {
    guard text.count <= byteLimit else {
      throw .tooLarge(byteCount: text.count, limit: byteLimit)
    }
    guard String(validating: text, as: UTF8.self) != nil else { throw .notUTF8 }
    // Editors on some systems start UTF-8 text with a byte order mark.
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    switch format {
    case .yaml: return try RecipeDecoder.decodeDocument(YAMLNodeBuilder.build(text))
    case .json:
      return try RecipeDecoder.decodeDocument(JSONNodeBuilder.build(text, byteLimit: byteLimit))
    }
  }

  /// Reads a recipe back from the value that `json` gave.
  package init(json: JSONValue) throws(RecipeError) {
    self = try Recipe.parse(
      json.bytes(),
      format: .json,
      byteLimit: RecipeLimits.selfContainedByteCount
    )
  }
}
