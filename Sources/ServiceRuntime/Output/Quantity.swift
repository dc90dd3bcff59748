/// Numbers with their units, as people read them.
package enum Quantity {
  /// A number with fixed decimals, rounded half away from zero: `12.30`.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled < 1e15 else { return "\(value)" }
    let digits = String(Int64(scaled))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// Three significant digits at most, for rates: `0.123`, `1.23`, `12.3`, `123`, `1234`.
  package static func rate(_ value: Double) -> String {
    switch value.magnitude {
    case ..<9.995: fixed(value, decimals: 2)
    case ..<99.95: fixed(value, decimals: 1)
    default: fixed(value, decimals: 0)
    }
  }

  /// A number with at most six decimals, without zeros at its end: `0.25`, `3`.
  package static func significant(_ value: Double) -> String {
    let text = fixed(value, decimals: 6)
    guard text.contains("."), !text.contains("e") else { return text }
    let digits = text.reversed().drop { $0 == "0" }
    return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
  }

  /// Bytes in decimal units: `999 B`, `1.2 kB`, `345 MB`.
  package static func bytes(_ count: Int64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var value = Double(count)
    var unit = 0
    while value.magnitude >= 999.5, unit + 1 < units.count {
      value /= 1_000
      unit += 1
    }
    let decimals = unit > 0 && value.magnitude < 99.95 ? 1 : 0
    return fixed(value, decimals: decimals) + " " + units[unit]
  }

  /// A duration: `0.25 s`, `12.3 s`, `4:05`, `2:03:09`, `3 d 02:00:00`.
  package static func duration(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let seconds = Double(whole) + Double(attoseconds) / 1e18
    guard seconds >= 59.95 else {
      return fixed(seconds, decimals: seconds < 0.995 ? 2 : 1) + " s"
    }
    return clock(Int64(seconds.rounded()))
  }

  /// Whole seconds as a clock: `0:45`, `12:03`, `2:03:09`, `3 d 02:00:00`.
  package static func clock(_ seconds: Int64) -> String {
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
    let hours = seconds / 3_600
    if hours >= 24 {
      return "\(hours / 24) d \(two(hours % 24)):\(two(minutes)):\(two(rest))"
    }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// A count with its noun: `1 picture`, `2 pictures`.
  package static func count(_ count: some BinaryInteger, _ noun: String, plural: String? = nil)
    -> String
  {
    "\(count) " + (count == 1 ? noun : plural ?? noun + "s")
  }

  private static func two(_ value: Int64) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
