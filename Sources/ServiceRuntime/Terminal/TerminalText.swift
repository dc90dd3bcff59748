/// Text as a terminal shows it.
package enum TerminalText {
  /// Columns of a text: two for the wide characters of East Asia and most emoji, none for marks.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// The longest start of a text that fits, with an ellipsis where something was left out.
  package static func truncated(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var result = ""
    var used = 1  // the ellipsis
    for character in text {
      used += width(character)
      if used > columns { break }
      result.append(character)
    }
    return result + "…"
  }

  /// A text with control characters made visible, so that a file name cannot move the cursor.
  package static func harmless(_ text: String) -> String {
    // Nearly every text is printable ASCII, and a report shows millions.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    // East Asian Width W and F (Unicode Standard Annex 11), by blocks.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      return [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory) ? 0 : 1
    }
  }
}
