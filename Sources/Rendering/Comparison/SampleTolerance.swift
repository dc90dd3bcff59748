/// What difference between the samples of two raws is allowed.
package enum SampleTolerance: Equatable, Sendable {
  /// None: every linear value is the same.
  case equal
  /// At most so many linear codes of the first raw.
  case codes(Double)
  /// At most half the step between neighbouring codes of the second raw, times a factor: 1 for
  /// rounding, 2 where the rounding was dithered.
  case halfSteps(Double)
  /// A peak signal-to-noise ratio of at least so many dB.
  case psnr(Double)

  /// What giving samples so many bits leaves: rounding to the nearest code, and with 8 bits dither, which takes
  /// the code on either side.
  package static func coding(bits: Int) -> SampleTolerance { .halfSteps(bits <= 8 ? 2 : 1) }

  /// Whether a comparison stays within it.
  package func allows(_ comparison: SampleComparison) -> Bool {
    if comparison.areEqual { return true }
    switch self {
    case .equal: return false
    case .codes(let limit): return comparison.worstCodes <= limit
    // The bound itself is reached by a value halfway between two codes; the arithmetic of its
    // comparison may end an ulp above.
    case .halfSteps(let limit): return comparison.worstHalfSteps <= limit * (1 + 1e-6)
    case .psnr(let limit): return comparison.psnr.map { $0 >= limit } ?? true
    }
  }
}

extension SampleTolerance: CustomStringConvertible {
  package var description: String {
    switch self {
    case .equal: "0"
    case .codes(let limit): "\(limit)"
    case .halfSteps(let limit): "\(limit / 2)step"
    case .psnr(let limit): "\(limit)dB"
    }
  }
}
