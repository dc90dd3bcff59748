internal import ColorScience

/// The noise of a plane, measured on one picture: variance = `slope` * signal + `offset`, where the
/// signal is 0 at black and 1 at white, as in NoiseProfile (51041).
///
/// Neighbourhoods of 3x3 samples of the plane that don't overlap give each a signal, the mean, and a
/// residue that flat and evenly sloping areas don't have: the difference of two second differences,
/// weights 1 -2 1 in both directions (Immerkaer 1996). By signal they fall into 64 bins of equal width
/// in the square root, and each bin's noise is the median of the residues' size over 0.6745 (that of a
/// normal distribution) and over 6, the root of the weights' sum of squares: a median, so that edges
/// and texture count little (Foi et al. 2008). A line fitted to the bins' variances by least squares,
/// each weighted by its number over its variance squared, is the profile; it is fitted again with the
/// variances of the line before.
package struct NoiseFit: Equatable, Sendable {
  /// One bin of signal.
  package struct Bin: Equatable, Sendable {
    /// The mean signal, 0 to 1.
    package let signal: Double
    package let variance: Double
    /// Neighbourhoods.
    package let count: Int
  }

  /// S of NoiseProfile.
  package let slope: Double
  /// O of NoiseProfile.
  package let offset: Double
  /// What was fitted, from dark to bright.
  package let bins: [Bin]

  static let binCount = 64
  static let minimumCount = 100

  /// Lines fitted after the first, each weighted by the one before.
  static let refinements = 3

  /// Fits bins; nil for fewer than two, or for signals that don't differ.
  init?(_ bins: [Bin]) {
    guard bins.count >= 2, var line = Self.line(through: bins, variances: bins.map(\.variance))
    else {
      return nil
    }
    // A bin that came out too quiet by chance would weigh too much: from the second line on, weights
    // are those of the line's own variances, kept within a quarter of what was measured.
    for _ in 0..<Self.refinements {
      let variances = bins.map { max(line.slope * $0.signal + line.offset, $0.variance / 4) }
      guard let next = Self.line(through: bins, variances: variances) else { return nil }
      line = next
    }
    slope = line.slope
    offset = line.offset
    self.bins = bins
  }

  /// The line of least squares, each bin weighted by its number over the square of its variance.
  private static func line(
    through bins: [Bin],
    variances: [Double]
  ) -> (slope: Double, offset: Double)? {
    let weights = zip(bins, variances).map { Double($0.count) / ($1 * $1) }
    var total = 0.0
    var signals = 0.0
    var sums = 0.0
    for (bin, weight) in zip(bins, weights) {
      total += weight
      signals += weight * bin.signal
      sums += weight * bin.variance
    }
    let signal = signals / total
    let variance = sums / total
    var square = 0.0
    var product = 0.0
    for (bin, weight) in zip(bins, weights) {
      square += weight * (bin.signal - signal) * (bin.signal - signal)
      product += weight * (bin.signal - signal) * (bin.variance - variance)
    }
    guard square > 0 else { return nil }
    return (product / square, variance - product / square * signal)
  }

  /// log2 of white over the noise at black, "engineering dynamic range", in EV; nil where the fitted
  /// noise at black is not positive.
  package var dynamicRangeEV: Double? {
    offset > 0 ? -PortableMath.log2(offset.squareRoot()) : nil
  }

  /// The ratio of a signal (0 at black, 1 at white) to its noise; nil where the fitted variance there is
  /// not positive.
  package func signalToNoise(at signal: Double) -> Double? {
    let variance = slope * signal + offset
    return variance > 0 ? signal / variance.squareRoot() : nil
  }

  /// The signal that equals its noise, the positive root of x^2 = slope x + offset; nil without one.
  package var signalOfUnitRatio: Double? {
    let square = slope * slope + 4 * offset
    guard square >= 0 else { return nil }
    let signal = (slope + square.squareRoot()) / 2
    return signal > 0 ? signal : nil
  }
}
