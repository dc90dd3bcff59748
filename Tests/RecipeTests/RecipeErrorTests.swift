import Diagnostics
import JSON
import Recipe
import Testing

@Suite struct RecipeErrorTests {
  @Test func everyErrorHasItsCode() {
    let at = RecipePosition(line: 3, column: 4)
    let codes: [(RecipeError, ErrorCode)] = [
      (.tooLarge(byteCount: 2, limit: 1), "recipeTooLarge"), (.notUTF8, "recipeNotUTF8"),
      (.yaml(reason: "r", at: at), "recipeSyntax"),
      (.json(.tooLarge(byteCount: 2, limit: 1)), "recipeSyntax"), (.invalid([]), "recipeInvalid"),
      (.file(path: "a.cube", line: 3, reason: "r"), "recipeFileInvalid"),
    ]
    for (error, code) in codes {
      #expect(error.code == code)
      #expect(error.disposition == .permanent)
    }
  }

  @Test func messageNamesThePlace() {
    let error = RecipeError.yaml(reason: "r", at: RecipePosition(line: 3, column: 4))
    #expect(error.message == "line 3, column 4: r")
    #expect(error.lines(file: "a.yaml") == ["a.yaml:3:4: r"])
    let file = RecipeError.file(path: "a.cube", line: 3, reason: "r")
    #expect(file.lines(file: "a.yaml") == ["a.cube:3: r"])
  }
}
