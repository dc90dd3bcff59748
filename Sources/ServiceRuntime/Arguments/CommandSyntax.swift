/// What a command takes: its words, options and subcommands.
package struct CommandSyntax: Sendable {
  /// An option, flag or argument without the type of its value.
  struct Element: Sendable {
    var name: String
    /// Nil for a flag.
    var valueName: String?
    var summary: String
    var isRequired: Bool
    var isRepeatable: Bool
    var expectation: String
    var convert: @Sendable ([UInt8]) -> (any Sendable)?
  }

  /// The word that calls it.
  package let name: String
  /// One sentence: what it does.
  package let abstract: String
  /// More for the help; paragraphs are separated by empty lines.
  package var discussion = ""
  /// Left out of the help of its parent.
  package var isHidden = false
  package private(set) var subcommands: [CommandSyntax] = []
  private(set) var options: [Element] = []
  private(set) var positionals: [Element] = []

  package init(_ name: String, _ abstract: String) {
    self.name = name
    self.abstract = abstract
  }

  /// The command with an explanation below its abstract.
  package func discussion(_ text: String) -> CommandSyntax {
    changed { $0.discussion = text }
  }

  /// The command, left out of the help of its parent.
  package func hidden() -> CommandSyntax {
    changed { $0.isHidden = true }
  }

  /// The command with one more option.
  package func option<Value>(_ option: Option<Value>) -> CommandSyntax {
    changed {
      $0.options.append(
        Element(
          name: option.name,
          valueName: option.valueName,
          summary: option.summary,
          isRequired: option.isRequired,
          isRepeatable: option.isRepeatable,
          expectation: option.conversion.expectation,
          convert: { [convert = option.conversion.convert] in convert($0) }
        )
      )
    }
  }

  /// The command with one more flag.
  package func flag(_ flag: Flag) -> CommandSyntax {
    changed {
      $0.options.append(
        Element(
          name: flag.name,
          valueName: nil,
          summary: flag.summary,
          isRequired: false,
          isRepeatable: true,
          expectation: "",
          convert: { _ in true }
        )
      )
    }
  }

  /// The command with one more argument after those it has.
  package func positional<Value>(_ positional: Positional<Value>) -> CommandSyntax {
    changed {
      $0.positionals.append(
        Element(
          name: positional.name,
          valueName: positional.name,
          summary: positional.summary,
          isRequired: !positional.isOptional,
          isRepeatable: positional.isRepeatable,
          expectation: positional.conversion.expectation,
          convert: { [convert = positional.conversion.convert] in convert($0) }
        )
      )
    }
  }

  /// The command with subcommands, one of which must be named.
  package func subcommands(_ commands: [CommandSyntax]) -> CommandSyntax {
    changed { $0.subcommands = commands }
  }

  private func changed(_ change: (inout CommandSyntax) -> Void) -> CommandSyntax {
    var copy = self
    change(&copy)
    return copy
  }
}
