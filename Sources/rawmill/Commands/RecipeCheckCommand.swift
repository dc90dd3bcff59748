internal import Diagnostics
internal import Digest
internal import FileSystem
internal import JSON
internal import Recipe
internal import Rendering
internal import ServiceRuntime

/// `rawmill recipe check`: says whether recipes are valid.
enum RecipeCheckCommand: Command {
  static let files = Positional(
    "recipe",
    .path,
    isRepeatable: true,
    "Recipes, YAML or JSON; - is standard input."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("check", "Say whether recipes are valid, and everything that is wrong with them.")
      .positional(files).flag(CommonOptions.json)
  }

  /// The group of the commands about recipes.
  static func group(_ commands: [CommandSyntax]) -> CommandSyntax {
    CommandSyntax("recipe", "Check recipes, print their schema, explain what they mean for a file.")
      .subcommands(commands)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let events = program.events(arguments)
    var exitCode = ExitCode.success
    for file in arguments.all(files) {
      do throws(ProgramError) {
        let (recipe, name) = try RecipeSource.load(file)
        let digest = recipe.digest.description
        events.emit(
          "recipeValid",
          [
            "file": .string(name), "digest": .string(digest),
            "outputs": .init(recipe.outputs.count),
            // What a submission by SQL needs.
            "canonical": .string(recipe.canonicalJSON.text(.canonical)),
            "pixelVersion": .init(PixelVersion.current),
            "files": .array(
              recipe.files.map { ["id": .string($0.id), "nameEnding": .string($0.nameEnding)] }
            ),
          ]
        )
        if !events.isEnabled {
          let outputs = Quantity.count(recipe.outputs.count, "output")
          program.standardOutput.writeLine("\(name): valid, \(outputs), digest \(digest)")
        }
      } catch {
        exitCode = error.exitCode
        for line in error.lines { program.log.error(line) }
        events.emit(
          "recipeInvalid",
          [
            "file": .string(file.displayText), "code": .string(error.code.rawValue),
            "problems": problems(error),
          ]
        )
      }
    }
    return exitCode
  }

  private static func problems(_ error: ProgramError) -> JSONValue {
    guard case .recipe(.invalid(let problems), _) = error else {
      return .array(error.lines.map { ["message": .string($0)] })
    }
    return .array(
      problems.map { problem in
        [
          "path": .string(problem.path), "line": .init(problem.position.line),
          "column": .init(problem.position.column), "message": .string(problem.message),
        ]
      }
    )
  }
}
