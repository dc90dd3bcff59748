extension Double {
  /// The text of a finite number as ECMAScript's Number::toString gives it (ECMA-262, section
  /// 6.1.6.1.20), as RFC 8785 asks: the shortest digits that read back as the same double.
  package var ecmaScriptText: String {
    guard self != 0 else { return "0" }
    let (digits, point) = magnitude.shortestDecimal
    let count = digits.count
    let sign = self < 0 ? "-" : ""
    if count <= point, point <= 21 {
      return sign + digits + String(repeating: "0", count: point - count)
    }
    if (1...21).contains(point) {
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
    if (-5...0).contains(point) {
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    let exponent = (point > 0 ? "+" : "-") + String((point - 1).magnitude)
    let fraction = count > 1 ? "." + digits.dropFirst() : ""
    return sign + digits.prefix(1) + fraction + "e" + exponent
  }

  /// The shortest digits that identify a positive double, and their place.
  ///
  /// Digits have no zeros at either end; the value is 0.digits x 10^point. Swift's description has
  /// those digits (the nearest of the shortest), in another layout.
  private var shortestDecimal: (digits: String, point: Int) {
    let parts = description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = halves.count > 1 ? halves[1] : ""
    let all = halves[0] + fraction
    let significant = all.drop { $0 == "0" }
    let leadingZeros = all.count - significant.count
    var digits = String(significant)
    while digits.last == "0" {
      digits.removeLast()
    }
    return (digits, exponent + halves[0].count - leadingZeros)
  }
}
