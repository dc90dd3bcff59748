/// The arguments of one call, converted.
package struct ParsedArguments: Sendable {
  /// The words that name the command, without the program's: `["recipe", "check"]`.
  package let command: [String]
  /// Values by the name of their option or argument, in the order in which they stood.
  private let values: [String: [any Sendable]]

  init(command: [String], values: [String: [any Sendable]]) {
    self.command = command
    self.values = values
  }

  /// The value of an option; the last one where it may stand several times.
  package subscript<Value>(_ option: Option<Value>) -> Value? {
    values[option.name]?.last as? Value
  }

  /// All values of an option.
  package func all<Value>(_ option: Option<Value>) -> [Value] {
    (values[option.name] ?? []).compactMap { $0 as? Value }
  }

  /// Whether a flag stood there.
  package subscript(_ flag: Flag) -> Bool {
    values[flag.name] != nil
  }

  /// All values of an argument; at least one after parsing, unless it is optional.
  package func all<Value>(_ positional: Positional<Value>) -> [Value] {
    (values[positional.name] ?? []).compactMap { $0 as? Value }
  }

  /// The value of a required option.
  package func require<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
    guard let value = self[option] else { throw .missingOption(option.name, option.valueName) }
    return value
  }

  /// The value of an argument.
  package func require<Value>(_ positional: Positional<Value>) throws(UsageError) -> Value {
    guard let value = all(positional).first else { throw .missingArgument(positional.name) }
    return value
  }
}
