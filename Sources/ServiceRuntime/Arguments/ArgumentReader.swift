internal import Diagnostics

/// Reads the options and arguments of one command, whose name was read already.
struct ArgumentReader {
  private let syntax: CommandSyntax
  private var values: [String: [any Sendable]] = [:]
  private var words: [[UInt8]] = []

  init(_ syntax: CommandSyntax) {
    self.syntax = syntax
  }

  /// Reads all arguments; false where one of them asks for help.
  mutating func read(_ arguments: ArraySlice<[UInt8]>) throws(UsageError) -> Bool {
    var rest = arguments
    while let argument = rest.popFirst() {
      let text = ArgumentParser.text(argument)
      if text == "--" {
        words += rest
        break
      }
      // A lone dash is standard input, an argument.
      guard Self.looksLikeOption(argument) else {
        words.append(argument)
        continue
      }
      if ArgumentParser.isHelp(text) { return false }
      try readOption(argument, &rest)
    }
    return true
  }

  /// The values, after everything that must be there has been found there.
  mutating func finish() throws(UsageError) -> [String: [any Sendable]] {
    var rest = words[...]
    for positional in syntax.positionals {
      guard let first = rest.popFirst() else {
        guard positional.isRequired else { continue }
        throw .missingArgument(positional.name)
      }
      try store(first, positional, as: "<\(positional.name)>")
      while positional.isRepeatable, let next = rest.popFirst() {
        try store(next, positional, as: "<\(positional.name)>")
      }
    }
    if let extra = rest.first { throw .unexpectedArgument(ArgumentParser.text(extra)) }
    for option in syntax.options where option.isRequired && values[option.name] == nil {
      throw .missingOption(option.name, option.valueName ?? "")
    }
    return values
  }

  private mutating func readOption(
    _ argument: [UInt8],
    _ rest: inout ArraySlice<[UInt8]>
  ) throws(UsageError) {
    let equals = argument.firstIndex(of: UInt8(ascii: "="))
    let name = ArgumentParser.text(Array(argument[..<(equals ?? argument.endIndex)]))
    guard let option = syntax.options.first(where: { $0.name == name }) else {
      let valid = syntax.options.map(\.name) + ["--help"]
      throw .unknownOption(name, nearest: Spelling.nearest(to: name, among: valid))
    }
    guard option.isRepeatable || values[name] == nil else { throw .repeatedOption(name) }
    guard let valueName = option.valueName else {
      guard equals == nil else { throw .flagWithValue(name) }
      values[name] = [true]
      return
    }
    if let equals {
      try store(Array(argument[(equals + 1)...]), option, as: name)
      return
    }
    guard let value = rest.first else {
      throw .missingValue(option: name, valueName: valueName, next: nil)
    }
    // What looks like an option is more likely a forgotten value than a value.
    guard !Self.looksLikeOption(value) else {
      throw .missingValue(option: name, valueName: valueName, next: ArgumentParser.text(value))
    }
    rest.removeFirst()
    try store(value, option, as: name)
  }

  /// A dash and more; but a dash and a digit is a negative number.
  private static func looksLikeOption(_ argument: [UInt8]) -> Bool {
    guard argument.count > 1, argument[0] == UInt8(ascii: "-") else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(argument[1])
  }

  private mutating func store(
    _ bytes: [UInt8],
    _ element: CommandSyntax.Element,
    as name: String
  ) throws(UsageError) {
    guard let value = element.convert(bytes) else {
      throw .invalidValue(ArgumentParser.text(bytes), of: name, expected: element.expectation)
    }
    values[element.name, default: []].append(value)
  }
}
