/// A tolerance as a person states it, before the copy is known.
package enum StatedTolerance: Equatable, Sendable {
  case fixed(SampleTolerance)
  /// What the copy's bit depth leaves (``SampleTolerance/coding(bits:)``).
  case step

  /// Reads `0`, `4`, `60dB`, `0.5step`, `step`.
  package init?(_ text: String) {
    if text == "step" {
      self = .step
    } else if text.hasSuffix("step") {
      guard let value = Self.number(text.dropLast(4)), value > 0 else { return nil }
      self = .fixed(.halfSteps(2 * value))
    } else if text.hasSuffix("dB") {
      guard let value = Self.number(text.dropLast(2)), value > 0 else { return nil }
      self = .fixed(.psnr(value))
    } else {
      guard let value = Self.number(text[...]), value >= 0 else { return nil }
      self = .fixed(value == 0 ? .equal : .codes(value))
    }
  }

  private static func number(_ text: Substring) -> Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// What it comes to for a copy of so many bits.
  package func ofCopy(bits: Int) -> SampleTolerance {
    switch self {
    case .fixed(let tolerance): tolerance
    case .step: .coding(bits: bits)
    }
  }
}
