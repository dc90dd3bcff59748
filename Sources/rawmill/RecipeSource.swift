internal import FileSystem
internal import Recipe
internal import ServiceRuntime

/// Where a command's recipe comes from.
enum RecipeSource {
  /// The recipe of a file, `-` for standard input, or the standard one.
  static func load(_ path: FilePath?) throws(ProgramError) -> (recipe: Recipe, name: String) {
    guard let path else { return (.standard, "built in") }
    let name = path == "-" ? "<standard input>" : path.displayText
    let text: [UInt8]
    do throws(SystemError) {
      // One byte more than a recipe may have, so that too large a file is called that.
      text =
        path == "-"
        ? try StandardInput.read(limit: RecipeLimits.byteCount + 1)
        : try FileDescriptor.open(path, .read).read(count: RecipeLimits.byteCount + 1)
    } catch {
      throw .file(error)
    }
    var recipe: Recipe
    do throws(RecipeError) {
      let format = RecipeFormat(fileName: path.displayText)
      recipe = try Recipe.parse(text, format: format)
    } catch {
      throw .recipe(error, file: name)
    }
    try attachFiles(to: &recipe, folder: path == "-" ? nil : path.parent, name: name)
    return (recipe, name)
  }

  /// Puts the files that a recipe names in the place of their paths, which are relative to the recipe's folder.
  static func attachFiles(
    to recipe: inout Recipe,
    folder: FilePath?,
    name: String
  ) throws(ProgramError) {
    do throws(RecipeFilesError<SystemError>) {
      try recipe.attachFiles { (path, byteLimit) throws(SystemError) in
        let path = FilePath(path)
        let file = folder.map { path.isAbsolute ? path : $0.appending(path) } ?? path
        return try FileDescriptor.open(file, .read).read(count: byteLimit + 1)
      }
    } catch {
      switch error {
      case .reading(let error): throw .file(error)
      case .recipe(let error): throw .recipe(error, file: name)
      }
    }
  }
}
