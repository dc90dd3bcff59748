/// When a delivery that failed is tried again.
enum DeliveryBackoff {
  /// The longest time between two attempts.
  static let longest = 3_600.0
  /// With these pauses the attempts reach over more than a day.
  static let attempts = 36

  /// Seconds until the next attempt after `attempt` of them, from 1; nil: it is given up.
  ///
  /// 5, 10, 20 … seconds up to an hour, each times a random number from 0.5 to 1.5, so that receivers
  /// which come back are not met by all at once.
  static func delay(
    after attempt: Int,
    using generator: inout some RandomNumberGenerator
  ) -> Double? {
    guard attempt < attempts else { return nil }
    let exponent = min(max(attempt, 1) - 1, 20)
    let seconds = min(longest, 5 * Double(1 << exponent))
    return seconds * Double.random(in: 0.5...1.5, using: &generator)
  }
}
