/// Finds the level at which a sensor really saturates, which is often below the declared white level.
///
/// A scene's levels thin out towards its brightest one; samples that would have been brighter pile up
/// where the sensor stops. So a plane is called saturated where, within the top hundredth of the range
/// from black to the highest level that occurs, one level holds more than 100 samples and more than
/// four times as many as any level of the hundredth below. That level is the lowest of those that hold
/// the most. The share and the count follow what users of raw histogram tools found to work on files of
/// many cameras; four times is our own margin over the counting noise of a bright sky.
enum SaturationLevel {
  static let topShare = 0.01
  static let minimumCount = 100
  static let prominence = 4

  /// The saturation level in linearised codes; nil where nothing piles up.
  static func detected(in histogram: LevelHistogram, black: Double) -> Int? {
    guard let highest = histogram.maximum, Double(highest) > black else { return nil }
    let width = max(1, Int(((Double(highest) - black) * topShare).rounded(.up)))
    var peak = highest
    var most = 0
    for level in (highest - width)...highest where histogram[level] > most {
      peak = level
      most = histogram[level]
    }
    var below = 0
    for level in (highest - 2 * width - 1)..<(highest - width) where level >= 0 {
      below = max(below, histogram[level])
    }
    guard most > minimumCount, most > prominence * below else { return nil }
    return peak
  }
}
