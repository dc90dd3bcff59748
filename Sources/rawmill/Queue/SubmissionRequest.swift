internal import FileSystem
internal import JobModel
internal import Recipe
internal import ServiceRuntime

/// What a caller wants submitted, checked as far as that goes without a database.
struct SubmissionRequest: Sendable {
  let inputs: [FilePath]
  let recipe: Recipe
  let roots: RootMap
  /// Absolute.
  let destination: FilePath
  /// The destination as it was written.
  let destinationName: String

  /// Reads the arguments of `run` and `submit`; a mistyped input is the caller's error, not a picture
  /// that failed.
  init(_ arguments: ParsedArguments) throws(ProgramError) {
    inputs = arguments.all(SubmitCommand.inputs)
    recipe = try RecipeSource.load(arguments[CommonOptions.recipe]).recipe
    roots = try RootOptions.map(arguments)
    let folder = try arguments.requireValue(CommonOptions.to)
    destinationName = folder.displayText
    destination = try wrappingFiles { () throws(SystemError) in try folder.absolute() }
    for input in inputs {
      _ = try wrappingFiles { () throws(SystemError) in try input.status() }
    }
  }
}
