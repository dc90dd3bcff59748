internal import RawModel

/// Where black and white lie among a raw's linear codes, and up to where codes are used.
struct CodeRange: Equatable {
  /// The lowest black of all places and samples.
  let black: Double
  /// The highest white.
  let white: Double
  /// The largest linear code that must have a code, white or above; at most 65,535.
  let top: Int

  /// The lowest linear code of any sample.
  let bottom: Int

  /// - Parameters:
  ///   - description: The source's levels.
  ///   - lowest: The smallest linear code of any sample.
  ///   - highest: The largest.
  init(_ description: RawDescription, lowest: Int, highest: Int) {
    bottom = lowest
    let values = description.blackLevel.values
    black = values.min() ?? 0
    white = description.whiteLevel.max() ?? 1
    // White can't be above the range of linear codes in a file that is sound; a finite number.
    top = min(max(Int(min(white, 65_535).rounded(.up)), highest), 65_535)
  }

  /// The signal of a linear code: 0 at black, 1 at white.
  func signal(_ code: Double) -> Double { (code - black) / (white - black) }

  /// The linear code of a signal.
  func code(_ signal: Double) -> Double { black + signal * (white - black) }

  /// The standard deviation at a linear code, in codes.
  func sigma(_ code: Double, of noise: NoiseModel) -> Double {
    noise.sigma(signal(code)) * (white - black)
  }

  /// The lowest linear code with a code of its own: black less three standard deviations, not below 0.
  func lowest(of noise: NoiseModel) -> Int {
    let low = (black - 3 * sigma(black, of: noise)).rounded(.down)
    return Int(min(max(low, 0), Double(top)))
  }
}
