internal import Diagnostics

/// Reads the arguments of a call by the syntax of its command.
package struct ArgumentParser: Sendable {
  /// What a call asks for.
  package enum Request: Sendable {
    /// The help of the command with these words.
    case help([String])
    case version
    case command(ParsedArguments)
  }

  /// An error and the words of the command whose usage explains it.
  package struct Failure: Error, Equatable, Sendable {
    package let error: UsageError
    package let command: [String]
  }

  package let root: CommandSyntax

  package init(_ root: CommandSyntax) {
    self.root = root
  }

  /// The request of a call.
  ///
  /// - Parameter arguments: The bytes of each, without the program's name.
  /// - Returns: A command with its arguments, or that help or the version is wanted.
  /// - Throws: The first thing that is not understood.
  package func parse(_ arguments: [[UInt8]]) throws(Failure) -> Request {
    var command = root
    var words: [String] = []
    var rest = arguments[...]
    while !command.subcommands.isEmpty {
      guard let word = rest.first.map(Self.text) else {
        // Without a word the program introduces itself; a group says which words it knows.
        if words.isEmpty { return .help([]) }
        throw failure(.missingSubcommand(valid: Self.names(command)), words)
      }
      if Self.isHelp(word) { return .help(words) }
      if word == "--version", words.isEmpty { return .version }
      if word == "help" {
        return .help(try parseHelp(of: command, words, rest.dropFirst()))
      }
      if word.hasPrefix("-") {
        throw failure(
          .unknownOption(
            word,
            nearest: Spelling.nearest(to: word, among: ["--help", "--version"])
          ),
          words
        )
      }
      command = try subcommand(word, of: command, words)
      words.append(word)
      rest = rest.dropFirst()
    }
    do throws(UsageError) {
      var reader = ArgumentReader(command)
      guard try reader.read(rest) else { return .help(words) }
      return .command(ParsedArguments(command: words, values: try reader.finish()))
    } catch {
      throw failure(error, words)
    }
  }

  /// The command that words name; nil where there is none.
  package func syntax(of words: [String]) -> CommandSyntax? {
    var command = root
    for word in words {
      guard let next = command.subcommands.first(where: { $0.name == word }) else { return nil }
      command = next
    }
    return command
  }

  private func parseHelp(
    of command: CommandSyntax,
    _ words: [String],
    _ rest: ArraySlice<[UInt8]>
  ) throws(Failure) -> [String] {
    var command = command
    var words = words
    for bytes in rest where !command.subcommands.isEmpty {
      let word = Self.text(bytes)
      command = try subcommand(word, of: command, words)
      words.append(word)
    }
    return words
  }

  private func subcommand(
    _ word: String,
    of command: CommandSyntax,
    _ words: [String]
  ) throws(Failure) -> CommandSyntax {
    if let found = command.subcommands.first(where: { $0.name == word }) { return found }
    let names = Self.names(command)
    throw failure(
      .unknownSubcommand(word, nearest: Spelling.nearest(to: word, among: names), valid: names),
      words
    )
  }

  private func failure(_ error: UsageError, _ words: [String]) -> Failure {
    Failure(error: error, command: words)
  }

  private static func names(_ command: CommandSyntax) -> [String] {
    command.subcommands.filter { !$0.isHidden }.map(\.name)
  }

  static func isHelp(_ word: String) -> Bool {
    word == "--help" || word == "-h"
  }

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
