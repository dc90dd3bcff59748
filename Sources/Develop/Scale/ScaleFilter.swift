internal import ColorScience

/// The weights by which samples along one axis are resized.
///
/// Up to a half in size every output pixel is the mean of the area that it covers; from a half on, and
/// for enlarging, a Lanczos kernel of three lobes weighs what lies around it (C. Duchon, "Lanczos
/// Filtering in One and Two Dimensions", J. Appl. Meteor. 18 (1979) 1016), stretched by the ratio where
/// the picture shrinks. Weights add up to 1. Version 1.
struct ScaleFilter: Sendable {
  /// Samples that each output has; those past its own have a weight of 0.
  let tapCount: Int
  /// Outputs that the tables begin before 0.
  let margin: Int
  /// The first sample of each output.
  let firsts: [Int]
  /// `tapCount` weights for each output.
  let weights: [Float]

  /// The first sample of an output and the one after its last.
  func taps(_ output: Int) -> Range<Int> {
    let first = firsts[output + margin]
    return first..<(first + tapCount)
  }

  /// - Parameters:
  ///   - count: Outputs; so many more on both sides as `margin` says.
  ///   - origin: Where the centre of output 0 lies, in samples.
  ///   - step: Samples from one output to the next.
  ///   - margin: Outputs beyond both ends.
  init(count: Int, origin: Double, step: Double, margin: Int) {
    let isArea = step >= 2
    let reach = isArea ? step / 2 : 3 * max(step, 1)
    let tapCount = Int((2 * reach).rounded(.up)) + 1
    var firsts: [Int] = []
    var weights: [Float] = []
    for output in -margin..<(count + margin) {
      let center = origin + step * Double(output)
      let first = Int((center - reach).rounded(.up))
      // An area begins within a sample, half a sample before its centre.
      let start = isArea ? Int((center - reach + 0.5).rounded(.down)) : first
      let values = (0..<tapCount).map { tap in
        let distance = Double(start + tap) - center
        return isArea
          ? Self.overlap(distance, reach) : Self.lanczos(distance / max(step, 1))
      }
      let sum = values.reduce(0, +)
      firsts.append(start)
      weights += values.map { Float($0 / sum) }
    }
    self.tapCount = tapCount
    self.margin = margin
    self.firsts = firsts
    self.weights = weights
  }

  /// The part of a sample `distance` from the centre that lies within `reach` of it.
  private static func overlap(_ distance: Double, _ reach: Double) -> Double {
    max(0, min(distance + 0.5, reach) - max(distance - 0.5, -reach))
  }

  private static func lanczos(_ x: Double) -> Double {
    guard abs(x) < 3 else { return 0 }
    guard abs(x) > 1e-9 else { return 1 }
    let angle = Double.pi * x
    return PortableMath.sin(angle) * PortableMath.sin(angle / 3) * 3 / (angle * angle)
  }
}
