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
}

extension DiscoveryError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .outputCollision: "outputCollision"
    case .outputsOfRecipeCollide: "outputsOfRecipeCollide"
    case .outputIsInput: "outputIsInput"
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
    }
  }

  package var disposition: Disposition { .permanent }
}
