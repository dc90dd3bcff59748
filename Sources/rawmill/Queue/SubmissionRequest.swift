internal import Discovery
internal import FileSystem
internal import JobModel
internal import Recipe
internal import ServiceRuntime

/// What a caller wants submitted, checked as far as that goes without a database.
struct SubmissionRequest: Sendable {
  let inputs: [FilePath]
  let recipe: Recipe
  let roots: RootMap
  let placement: OutputPlacement
  /// The folder that is written to, as it was written; empty where no original is kept.
  let folderName: String
  /// What the caller says about the batch.
  let batch: @Sendable (_ name: String, RetryPolicy) -> BatchSpecification

  /// Where to look for what was written, in words; empty where that is the inputs' own place.
  var placeText: String {
    switch placement {
    case .folder: "the outputs are in \(folderName)"
    case .inPlace(nil): ""
    case .inPlace: "the originals are in \(folderName)"
    }
  }

  /// What people know the batch by.
  var batchName: String {
    guard placement.replaces else { return folderName }
    return inputs.first.map { "replace \($0)" } ?? "replace"
  }

  /// Reads the arguments of `run` and `submit`; a mistyped input is the caller's error, not a picture
  /// that failed.
  init(_ arguments: ParsedArguments) throws(ProgramError) {
    inputs = arguments.all(SubmitCommand.inputs)
    recipe = try RecipeSource.load(arguments[CommonOptions.recipe]).recipe
    roots = try RootOptions.map(arguments)
    (placement, folderName) = try PlacementOptions.placement(arguments, recipe)
    batch = { name, policy in
      BatchOptions.specification(
        arguments,
        name: name,
        owner: SystemInformation.environment("USER") ?? "",
        policy: policy
      )
    }
    for input in inputs {
      _ = try wrappingFiles { () throws(SystemError) in try input.status() }
    }
  }
}
