/// Shows progress as it comes: one line that is redrawn on a terminal, plain lines elsewhere.
///
/// A state machine over times that are handed in; it writes what changed and nothing else, so that
/// the line does not flicker.
package struct ProgressDisplay: Sendable {
  package enum Style: Equatable, Sendable {
    /// A terminal of this many columns.
    case terminal(columns: Int)
    case plain
  }

  /// Ten times a second is as often as people see.
  private static let redrawInterval = Duration.milliseconds(100)
  /// Plain lines go into logs: every ten seconds, and one at the end.
  private static let lineInterval = Duration.seconds(10)

  private let style: Style
  private let output: TextOutput
  /// What stands in the terminal's line.
  private var shown = ""
  private var lastTime: Duration?
  private var lastLine = ""

  package init(_ style: Style, output: TextOutput) {
    self.style = style
    self.output = output
  }

  /// Shows how far it is, if it is time to.
  package mutating func update(_ progress: ProgressSnapshot) {
    let interval = style == .plain ? Self.lineInterval : Self.redrawInterval
    if let lastTime, progress.elapsed - lastTime < interval { return }
    show(progress)
  }

  /// Writes a line of text above the progress.
  package mutating func writeLine(_ text: String) {
    guard case .terminal = style, !shown.isEmpty else {
      output.writeLine(text)
      return
    }
    output.write("\r\u{1B}[K\(text)\n\(shown)")
  }

  /// Shows the last state and leaves the line.
  package mutating func finish(_ progress: ProgressSnapshot) {
    show(progress)
    if case .terminal = style, !shown.isEmpty { output.write("\n") }
    shown = ""
  }

  /// Takes the line away, for what ends without a last state.
  package mutating func clear() {
    if case .terminal = style, !shown.isEmpty { output.write("\r\u{1B}[K") }
    shown = ""
  }

  private mutating func show(_ progress: ProgressSnapshot) {
    lastTime = progress.elapsed
    switch style {
    case .terminal(let columns):
      let line = ProgressText.bar(progress, width: columns)
      guard line != shown else { return }
      // Overwrites, then clears what is left of a longer line: an empty line is never seen.
      output.write("\r\(line)\u{1B}[K")
      shown = line
    case .plain:
      let line = ProgressText.line(progress)
      guard line != lastLine else { return }
      output.writeLine(line)
      lastLine = line
    }
  }
}
