/// An option with a value, such as `--threads 4`.
package struct Option<Value: Sendable>: Sendable {
  /// With its dashes, such as `--threads`.
  package let name: String
  /// Stands for the value in the usage line, such as `m`.
  package let valueName: String
  /// One sentence for the help.
  package let summary: String
  package let isRequired: Bool
  /// Whether it may stand several times.
  package let isRepeatable: Bool
  package let conversion: ArgumentConversion<Value>

  package init(
    _ name: String,
    _ valueName: String,
    _ conversion: ArgumentConversion<Value>,
    isRequired: Bool = false,
    isRepeatable: Bool = false,
    _ summary: String
  ) {
    self.name = name
    self.valueName = valueName
    self.summary = summary
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
    self.conversion = conversion
  }
}

/// An option without a value, such as `--json`.
package struct Flag: Sendable {
  /// With its dashes, such as `--json`.
  package let name: String
  /// One sentence for the help.
  package let summary: String

  package init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// An argument that its place names.
package struct Positional<Value: Sendable>: Sendable {
  /// Stands for it in the usage line, such as `input`.
  package let name: String
  /// One sentence for the help.
  package let summary: String
  /// Whether it takes all that are left.
  package let isRepeatable: Bool
  /// Whether it may be left out; only the last arguments of a command may.
  package let isOptional: Bool
  package let conversion: ArgumentConversion<Value>

  package init(
    _ name: String,
    _ conversion: ArgumentConversion<Value>,
    isRepeatable: Bool = false,
    isOptional: Bool = false,
    _ summary: String
  ) {
    self.name = name
    self.summary = summary
    self.isRepeatable = isRepeatable
    self.isOptional = isOptional
    self.conversion = conversion
  }
}
