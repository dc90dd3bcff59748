/// What a text in a recipe may be.
enum RecipeTextRule: Sendable {
  /// A name for people.
  case title
  /// Part of a file name.
  case suffix
  /// Names an output in results.
  case identifier
  /// A name with wildcards.
  case pattern

  func accepts(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    switch self {
    case .title, .pattern:
      return (1...200).contains(scalars.count) && !scalars.contains(where: isControl)
    case .suffix:
      // File names end at 255 bytes; the input's own name needs its share.
      return text.utf8.count <= 100 && !scalars.contains { $0 == "/" || isControl($0) }
    case .identifier:
      guard let first = scalars.first, isLetter(first), scalars.count <= 64 else { return false }
      return scalars.allSatisfy {
        isLetter($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
    }
  }

  var expectation: String {
    switch self {
    case .title: "text of 1 to 200 characters in one line"
    case .suffix: "text of at most 100 bytes without / and control characters"
    case .pattern:
      "text of 1 to 200 characters in one line, in which * stands for any and ? for one"
    case .identifier: "a letter and up to 63 letters, digits, _ or -"
    }
  }

  /// The rule as a regular expression of ECMA-262 (the suffix's limit in bytes apart).
  var pattern: String {
    switch self {
    case .title, .pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,200}$"
    case .suffix: "^[^/\\u0000-\\u001f\\u007f-\\u009f]{0,100}$"
    case .identifier: "^[A-Za-z][A-Za-z0-9_-]{0,63}$"
    }
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
