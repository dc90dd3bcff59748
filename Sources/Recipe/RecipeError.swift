package import Diagnostics
package import JSON

/// Why a text is no recipe.
package enum RecipeError: Error, Equatable, Sendable {
  case tooLarge(byteCount: Int, limit: Int)
  case notUTF8
  /// Not YAML, or more of YAML than a recipe may use.
  case yaml(reason: String, at: RecipePosition)
  case json(JSONError)
  /// A file that the recipe names is not what it should be.
  case file(path: String, line: Int?, reason: String)
  /// Well-formed, but it says something that is not valid: every problem that was found.
  case invalid([RecipeProblem])
}

extension RecipeError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .tooLarge: "recipeTooLarge"
    case .notUTF8: "recipeNotUTF8"
    case .yaml, .json: "recipeSyntax"
    case .file: "recipeFileInvalid"
    case .invalid: "recipeInvalid"
    }
  }

  package var message: String {
    lines(file: nil).joined(separator: "\n")
  }

  package var disposition: Disposition { .permanent }

  /// One line a problem, each in the form `file:line:column: path: what is wrong`.
  package func lines(file: String?) -> [String] {
    switch self {
    case .tooLarge(let count, let limit):
      [place(file, nil) + "the recipe has \(count) bytes; the limit is \(limit)"]
    case .notUTF8: [place(file, nil) + "the recipe is not valid UTF-8 text"]
    case .yaml(let reason, let at): [place(file, at) + reason]
    case .json(let error):
      [
        place(file, error.position.map { RecipePosition(line: $0.line, column: $0.column) })
          + error.reason
      ]
    case .file(let path, let line, let reason):
      [line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"]
    case .invalid(let problems): problems.map { place(file, $0.position) + $0.message }
    }
  }

  private func place(_ file: String?, _ position: RecipePosition?) -> String {
    switch (file, position) {
    case (let file?, let position?): "\(file):\(position.line):\(position.column): "
    case (let file?, nil): "\(file): "
    case (nil, let position?): "line \(position.line), column \(position.column): "
    case (nil, nil): ""
    }
  }
}
