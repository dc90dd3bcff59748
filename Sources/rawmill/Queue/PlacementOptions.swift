internal import Discovery
internal import FileSystem
internal import Recipe
internal import ServiceRuntime
internal import Worker

/// Where `run` and `submit` put outputs: in a folder, or in the place of the inputs.
enum PlacementOptions {
  static let to = Option(
    "--to",
    "folder",
    .path,
    "The folder that outputs are written to; needed unless --replace is given."
  )
  static let replace = Flag(
    "--replace",
    "Put the recipe's one DNG in the place of each original, when it is proven."
  )
  static let originals = Option(
    "--originals",
    "folder",
    .path,
    "With --replace: where the originals are kept."
  )
  static let deleteOriginals = Flag(
    "--delete-originals",
    "With --replace: keep no original."
  )

  /// The placement that a call asks for, with its folder as it was written.
  static func placement(
    _ arguments: ParsedArguments,
    _ recipe: Recipe
  ) throws(ProgramError) -> (placement: OutputPlacement, name: String) {
    let target = arguments[to]
    let originals = arguments[originals]
    guard arguments[replace] else {
      if originals != nil || arguments[deleteOriginals] {
        throw .usage(.conflict("--originals and --delete-originals go with --replace."))
      }
      guard let target else {
        throw .usage(.missingOption(to.name, to.valueName))
      }
      return (.folder(try absolute(target)), target.displayText)
    }
    if target != nil {
      throw .usage(.conflict("--replace writes to no other folder: leave --to out."))
    }
    if originals != nil, arguments[deleteOriginals] {
      throw .usage(
        .conflict("--originals keeps the originals, --delete-originals none: give one of the two.")
      )
    }
    guard originals != nil || arguments[deleteOriginals] else {
      throw .usage(
        .conflict(
          "With --replace, say --originals FOLDER to keep the originals, or --delete-originals."
        )
      )
    }
    try requireOneDNG(recipe)
    guard let originals else { return (.inPlace(originals: nil), "") }
    return (.inPlace(originals: try absolute(originals)), originals.displayText)
  }

  /// Only an output whose samples are proven to be the input's may take its place; of a linear one it is
  /// proven that it holds what is made of them, and a mosaic can't be got back from that.
  private static func requireOneDNG(_ recipe: Recipe) throws(ProgramError) {
    guard recipe.outputs.count == 1, let output = recipe.outputs.first,
      let rule = ProofRule(output), !rule.demosaics
    else {
      throw .usage(
        .conflict(
          "--replace needs a recipe with one output, a dng that is not linear: nothing else is proven to "
            + "be the original, and a mosaic can't be got back from demosaiced samples."
        )
      )
    }
  }

  private static func absolute(_ path: FilePath) throws(ProgramError) -> FilePath {
    try wrappingFiles { () throws(SystemError) in try path.absolute() }
  }
}
