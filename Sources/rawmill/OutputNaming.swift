internal import FileSystem
internal import Recipe

/// How the files of a recipe's outputs are named.
enum OutputNaming {
  /// The path of each output of a recipe below the destination, in the recipe's order:
  /// `{folder of the input}/{name}{suffix}.{extension}`.
  ///
  /// - Parameters:
  ///   - input: The path of the input below the folder that was submitted (its name alone for a file
  ///     that was submitted itself).
  ///   - recipe: Says suffixes and kinds.
  /// - Returns: Paths relative to the destination.
  static func paths(for input: FilePath, recipe: Recipe) -> [FilePath] {
    let folder = input.components.dropLast()
    return recipe.outputs.map { output in
      let name = input.stem + Array(output.nameEnding.utf8)
      return FilePath(bytes: (folder + [name[...]]).joined(separator: [0x2F]))
    }
  }
}
