/// Text for a POSIX shell (IEEE Std 1003.1, Shell Command Language, 2.2 Quoting).
package enum ShellText {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%".utf8
  )

  /// A word that a shell reads as this text: as it is where that is harmless, else in single quotes.
  package static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy({ plain.contains($0) }) { return text }
    return "'"
      + text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
