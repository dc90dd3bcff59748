/// Points in time as text.
package enum Timestamp {
  /// RFC 3339 in UTC with milliseconds: `2026-11-30T06:53:00.250Z`.
  package static func text(nanosecondsSince1970 nanoseconds: Int64) -> String {
    let milliseconds = floorDivide(nanoseconds, 1_000_000)
    let seconds = floorDivide(milliseconds, 1_000)
    let days = floorDivide(seconds, 86_400)
    let ofDay = seconds - days * 86_400
    let (year, month, day) = civilDate(days: days)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let clock = "\(padded(ofDay / 3_600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2))"
    return "\(date)T\(clock).\(padded(milliseconds - seconds * 1_000, 3))Z"
  }

  /// The Gregorian date of a day since 1970-01-01: years start in March, so that the leap day is the
  /// last one, and 400 years are a whole cycle of 146,097 days.
  private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let sinceMarch = days + 719_468  // days from 0000-03-01 to 1970-01-01
    let era = floorDivide(sinceMarch, 146_097)
    let dayOfEra = sinceMarch - era * 146_097
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
