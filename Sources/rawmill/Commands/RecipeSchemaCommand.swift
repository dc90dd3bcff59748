internal import JSON
internal import Recipe
internal import ServiceRuntime

/// `rawmill recipe schema`: what recipes can say, for editors and for people.
enum RecipeSchemaCommand: Command {
  static let markdown = Flag("--markdown", "Print the reference page instead.")

  static var syntax: CommandSyntax {
    CommandSyntax("schema", "Print the JSON Schema of recipes, for editors.").flag(markdown)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    if arguments[markdown] {
      program.standardOutput.write(RecipeReference.markdown)
    } else {
      program.standardOutput.writeLine(RecipeSchema.document.text(.pretty))
    }
    return .success
  }
}
