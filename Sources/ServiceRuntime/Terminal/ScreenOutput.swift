/// A screen of lines that is drawn over itself (ECMA-48 control sequences), on the terminal's other
/// buffer, so that what stood there comes back.
///
/// The caller ends it; a line that did not change is drawn again, which terminals do without flicker.
package struct ScreenOutput: Sendable {
  private let output: TextOutput

  package init(_ output: TextOutput) {
    self.output = output
  }

  /// Takes the screen.
  package func begin() {
    output.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[H\u{1B}[2J")
  }

  /// Draws lines from the top; each is cleared to its end, and the screen below them.
  package func draw(_ lines: [String]) {
    // One write: a frame is seen whole.
    output.write(
      "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    )
  }

  /// Gives the screen back.
  package func end() {
    output.write("\u{1B}[?25h\u{1B}[?1049l")
  }
}
