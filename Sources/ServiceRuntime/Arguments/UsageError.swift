package import Diagnostics

/// Why the arguments of a call are not understood.
package enum UsageError: Error, Equatable, Sendable {
  case unknownOption(String, nearest: String?)
  case unknownSubcommand(String, nearest: String?, valid: [String])
  case missingSubcommand(valid: [String])
  case missingValue(option: String, valueName: String, next: String?)
  case flagWithValue(String)
  /// `of` is an option with its dashes, or an argument in brackets.
  case invalidValue(String, of: String, expected: String)
  case repeatedOption(String)
  case missingOption(String, _ valueName: String)
  case missingArgument(String)
  case unexpectedArgument(String)
  /// Arguments that are fine alone but not together, or that the surroundings rule out.
  case conflict(String)
}

extension UsageError: Diagnosable {
  package var code: ErrorCode { "usage" }

  package var message: String {
    switch self {
    case .unknownOption(let option, let nearest):
      "Unknown option '\(option)'." + suggestion(nearest)
    case .unknownSubcommand(let word, let nearest?, _):
      "Unknown subcommand '\(word)'." + suggestion(nearest)
    case .unknownSubcommand(let word, nil, let valid):
      "Unknown subcommand '\(word)'; there are \(valid.joined(separator: ", "))."
    case .missingSubcommand(let valid):
      "A subcommand is missing: one of \(valid.joined(separator: ", "))."
    case .missingValue(let option, let valueName, nil):
      "Missing value for '\(option) <\(valueName)>'."
    case .missingValue(let option, let valueName, let next?):
      "Missing value for '\(option) <\(valueName)>'; write '\(option)=\(next)' if '\(next)' is meant."
    case .flagWithValue(let flag): "The option '\(flag)' takes no value."
    case .invalidValue(let value, let name, let expected):
      "The value '\(value)' is invalid for '\(name)'; expected \(expected)."
    case .repeatedOption(let option): "The option '\(option)' stands twice."
    case .missingOption(let option, let valueName):
      "Missing expected option '\(option) <\(valueName)>'."
    case .missingArgument(let name): "Missing expected argument '<\(name)>'."
    case .unexpectedArgument(let text): "Unexpected argument '\(text)'."
    case .conflict(let text): text
    }
  }

  package var disposition: Disposition { .permanent }

  private func suggestion(_ nearest: String?) -> String {
    nearest.map { " Did you mean '\($0)'?" } ?? ""
  }
}
