package import Diagnostics
package import FileSystem

/// Why a submission is refused before any work.
package enum DiscoveryError: Error, Equatable, Sendable {
  /// Two inputs would write one file.
  case outputCollision(output: FilePath, first: FilePath, second: FilePath)
  /// Two outputs of the recipe would write one file.
  case outputsOfRecipeCollide(output: FilePath, first: String, second: String)
  /// An input would be overwritten by its own output, or another's.
  case outputIsInput(FilePath)
  /// A pattern that was written finds nothing.
  case patternMatchesNothing(FilePath)
  /// A list of inputs has more bytes than are read.
  case listTooLarge(limit: Int)
  /// A line of a list says something that is not valid.
  case listEntry(line: Int, reason: String)
}

extension DiscoveryError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .outputCollision: "outputCollision"
    case .outputsOfRecipeCollide: "outputsOfRecipeCollide"
    case .outputIsInput: "outputIsInput"
    case .patternMatchesNothing: "patternMatchesNothing"
    case .listTooLarge: "listTooLarge"
    case .listEntry: "listEntryInvalid"
    }
  }

  package var message: String {
    switch self {
    case .outputCollision(let output, let first, let second):
      "\(first) and \(second) would both become \(output): rename one or render them apart"
    case .outputsOfRecipeCollide(let output, let first, let second):
      "outputs \(first) and \(second) would both become \(output): give one a suffix"
    case .outputIsInput(let path):
      "the output \(path) is also an input: choose another folder or a suffix"
    case .patternMatchesNothing(let pattern): "nothing matches \(pattern)"
    case .listTooLarge(let limit): "the list of inputs has more than \(limit) bytes"
    case .listEntry(let line, let reason): "line \(line) of the list: \(reason)"
    }
  }

  package var disposition: Disposition { .permanent }
}
