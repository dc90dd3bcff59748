/// Continues pictures beyond their edges.
enum Mirror {
  /// The index within `0..<count` that an index outside stands for, mirrored about the edge samples.
  ///
  /// An edge sample itself is not repeated, so that the parity of the index, and with it the filter
  /// colour of a Bayer photosite, stays the same (except in a picture one sample wide).
  static func index(_ index: Int, count: Int) -> Int {
    if index >= 0 && index < count { return index }
    guard count > 1 else { return 0 }
    let period = 2 * (count - 1)
    let remainder = index % period
    let folded = remainder < 0 ? remainder + period : remainder
    return folded < count ? folded : period - folded
  }
}
