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
    do throws(RecipeError) {
      let format = RecipeFormat(fileName: path.displayText)
      return (try Recipe.parse(text, format: format), name)
    } catch {
      throw .recipe(error, file: name)
    }
  }
}
