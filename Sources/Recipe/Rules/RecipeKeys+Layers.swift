internal import JSON

extension RecipeKeys {
  /// The path of the key that names a preset.
  static let presetPath = "preset"

  /// Every key of `develop` that holds a value, those of its mappings too, with its path.
  static let developValues: [(path: String, key: RecipeKey<DevelopAdjustments>)] = flattened(
    develop,
    prefix: ""
  )

  /// The key with a path.
  static func developKey(_ path: String) -> RecipeKey<DevelopAdjustments>? {
    developValues.first { $0.path == path }?.key
  }

  /// The paths of the keys that say the same as `key` in another way, whichever of both says so.
  static func excluded(by key: RecipeKey<DevelopAdjustments>) -> [String] {
    developValues.compactMap { path, other in
      key.entry.excludes.contains(other.entry.name) || other.entry.excludes.contains(key.entry.name)
        ? path : nil
    }
  }

  private static func flattened(
    _ keys: [RecipeKey<DevelopAdjustments>],
    prefix: String
  ) -> [(path: String, key: RecipeKey<DevelopAdjustments>)] {
    keys.flatMap { key in
      let path = prefix + key.entry.name
      return key.members.isEmpty
        ? [(path: path, key: key)] : flattened(key.members, prefix: path + ".")
    }
  }
}
