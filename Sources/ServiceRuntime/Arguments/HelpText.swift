/// Writes the help and the usage of commands, in the layout that users of Swift tools know.
package struct HelpText: Sendable {
  /// The program and the words that call the command: `rawmill recipe check`.
  private let call: String
  private let syntax: CommandSyntax
  /// Columns of a line.
  private let width: Int
  /// Columns before the explanations.
  private static let labelWidth = 26

  package init(_ syntax: CommandSyntax, call: [String], width: Int = 80) {
    self.syntax = syntax
    self.call = call.joined(separator: " ")
    self.width = max(60, width)
  }

  /// One line: how the command is called.
  package var usage: String {
    if !syntax.subcommands.isEmpty { return "\(call) <subcommand>" }
    let positionals = syntax.positionals.map { positional in
      let text = "<\(positional.name)>" + (positional.isRepeatable ? " ..." : "")
      return positional.isRequired ? text : "[\(text)]"
    }
    let options = syntax.options.map { option in
      let text = option.valueName.map { "\(option.name) <\($0)>" } ?? option.name
      let repeated = option.isRepeatable && option.valueName != nil ? text + " ..." : text
      return option.isRequired ? repeated : "[\(repeated)]"
    }
    return ([call] + positionals + options).joined(separator: " ")
  }

  /// The whole help, with a line feed at its end.
  package var full: String {
    var blocks = [wrap("OVERVIEW: " + syntax.abstract, indent: 0)]
    if !syntax.discussion.isEmpty {
      blocks += paragraphs(of: syntax.discussion).map { wrap($0, indent: 0) }
    }
    blocks.append(wrap("USAGE: " + usage, indent: 2, firstIndent: 0))
    if !syntax.positionals.isEmpty {
      blocks.append(
        section("ARGUMENTS", syntax.positionals.map { ("<\($0.name)>", $0.summary) })
      )
    }
    var options = syntax.options.map { option in
      (option.valueName.map { "\(option.name) <\($0)>" } ?? option.name, option.summary)
    }
    if !call.contains(" ") { options.append(("--version", "Show the version.")) }
    options.append(("-h, --help", "Show help information."))
    blocks.append(section("OPTIONS", options))
    let shown = syntax.subcommands.filter { !$0.isHidden }
    if !shown.isEmpty {
      blocks.append(section("SUBCOMMANDS", shown.map { ($0.name, $0.abstract) }))
      let words = call.split(separator: " ")
      let help = ([words[0], "help"] + words.dropFirst()).joined(separator: " ")
      blocks.append("  See '\(help) <subcommand>' for detailed help.")
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// What stands on standard error after a usage error, with a line feed at its end.
  package func failure(_ error: UsageError) -> String {
    """
    Error: \(error.message)
    \(wrap("Usage: " + usage, indent: 2, firstIndent: 0))
      See '\(call) --help' for more information.

    """
  }

  private func paragraphs(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "")
      .map { $0.joined(separator: "\n") }
  }

  private func section(_ title: String, _ rows: [(label: String, summary: String)]) -> String {
    var lines = ["\(title):"]
    for row in rows {
      let label = "  " + row.label
      let indent = Self.labelWidth
      let summary = wrap(row.summary, indent: indent)
      if label.count + 1 < indent {
        lines.append(
          label + String(repeating: " ", count: indent - label.count) + summary.dropFirst(indent)
        )
      } else {
        lines += [label, summary]
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Breaks a text at spaces; lines that start with a space keep their own breaks.
  private func wrap(_ text: String, indent: Int, firstIndent: Int? = nil) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.contains(where: { $0.hasPrefix(" ") }) { return text }
    var result: [String] = []
    var line = String(repeating: " ", count: firstIndent ?? indent)
    var isEmpty = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !isEmpty, line.count + 1 + word.count > width {
        result.append(line)
        line = String(repeating: " ", count: indent)
        isEmpty = true
      }
      line += isEmpty ? word : " " + word
      isEmpty = false
    }
    return (result + [line]).joined(separator: "\n")
  }
}
