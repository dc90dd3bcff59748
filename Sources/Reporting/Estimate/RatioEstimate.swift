/// A total of a population reckoned from some of its members, to each of which it is about in proportion.
///
/// The ratio estimator of survey sampling (Cochran, Sampling Techniques, 3rd edition, 6.2 to 6.4): total =
/// X · Σy / Σx, with the variance of the residuals y - r x and the correction for a finite population. The
/// range is Student's, with one degree of freedom less than there are samples (2.8 there), because few
/// samples tell their own spread badly.
package struct RatioEstimate: Equatable, Sendable {
  /// The least samples that a range is stated for: two have one residual, turned over.
  package static let leastSamples = 3
  /// How probable it is that the total lies in the range.
  package static let confidence = 0.95

  package let value: Double
  /// Half the width of the range; nil where too few members were looked at to state one, and 0 where all
  /// were.
  package let margin: Double?

  /// - Parameters:
  ///   - samples: For each member looked at what is known of all (x, 0 or more), and what was found (y).
  ///   - population: How many members there are.
  ///   - known: The sum of x over all of them.
  package init(_ samples: [(x: Double, y: Double)], population: Int, known: Double) {
    let sum = samples.reduce(0) { $0 + $1.x }
    let ratio = sum > 0 ? samples.reduce(0) { $0 + $1.y } / sum : 0
    value = ratio * known
    guard samples.count < population else {
      margin = 0
      return
    }
    guard samples.count >= Self.leastSamples else {
      margin = nil
      return
    }
    let squares = samples.reduce(0) { $0 + ($1.y - ratio * $1.x) * ($1.y - ratio * $1.x) }
    let count = Double(samples.count)
    let variance = (1 - count / Double(population)) * squares / (count - 1) / count
    let bound = StudentT(degreesOfFreedom: samples.count - 1).bound(holding: Self.confidence)
    margin = bound * variance.squareRoot() * Double(population)
  }
}
