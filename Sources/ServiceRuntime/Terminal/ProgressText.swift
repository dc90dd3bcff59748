/// Draws progress as text; pure, so that tests see every case.
package enum ProgressText {
  /// One line for a terminal of a width, which it never exceeds: counts first, then what there is
  /// room for, the bar last.
  package static func bar(_ progress: ProgressSnapshot, width: Int) -> String {
    let columns = max(1, width - 1)  // the last column would move the cursor to the next line
    var parts = ["\(progress.finished)/\(progress.total)"]
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    let optional = [
      "\(Int(progress.fraction * 100))%",
      progress.secondsLeft.map { "ETA \(Quantity.clock($0))" },
      positive(progress.picturesPerSecond).map { "\(Quantity.rate($0))/s" },
      positive(progress.megapixelsPerSecond).map { "\(Quantity.rate($0)) MP/s" },
    ]
    for part in optional.compactMap({ $0 }) {
      let used = parts.map { $0.count + 2 }.reduce(0, +) + part.count
      if used <= columns { parts.append(part) }
    }
    let text = parts.joined(separator: "  ")
    let room = columns - text.count - 3
    guard room >= 10 else { return TerminalText.truncated(text, to: columns) }
    return "[\(track(progress.fraction, length: min(room, 40)))] \(text)"
  }

  /// One line for a log.
  package static func line(_ progress: ProgressSnapshot) -> String {
    var parts = ["\(progress.finished) of \(progress.total)"]
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    if let rate = positive(progress.picturesPerSecond) { parts.append("\(Quantity.rate(rate))/s") }
    if let rate = positive(progress.megapixelsPerSecond) {
      parts.append("\(Quantity.rate(rate)) MP/s")
    }
    if progress.finished < progress.total, let left = progress.secondsLeft {
      parts.append("ETA \(Quantity.clock(left))")
    }
    return parts.joined(separator: ", ")
  }

  /// A rate that says something.
  private static func positive(_ rate: Double?) -> Double? {
    rate.flatMap { $0 > 0 ? $0 : nil }
  }

  /// A bar in eighths of a column.
  private static func track(_ fraction: Double, length: Int) -> String {
    let eighths = Int(min(max(fraction, 0), 1) * Double(length * 8))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let filled = String(repeating: "█", count: eighths / 8) + partial
    return filled + String(repeating: " ", count: length - filled.count)
  }
}
