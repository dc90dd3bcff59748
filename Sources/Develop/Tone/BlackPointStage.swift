internal import RawModel

/// Takes the black point off, in linear RIMM.
///
/// `0.001 x shadowBias x ShadowScale` of the linear range goes to 0 and white stays, along a line with a
/// quadratic toe: 0 up to `black - radius`, a parabola up to `black + radius`, then
/// `(x - black) / (1 - black)`. Version 1.
struct BlackPointStage: PixelStage, Equatable {
  static let name = "blackPoint"

  /// `black - radius`.
  let start: Float
  /// Twice the radius.
  let width: Float
  /// `1 / (4 radius)`.
  let curvature: Float
  let slope: Float

  init?(_ context: StageContext) {
    let black = 0.001 * context.settings.shadowBias * context.description.shadowScale
    guard black > 0 else { return nil }
    self.init(black: black)
  }

  /// - Parameter black: Above 0 and below 1.
  init(black: Double) {
    // The toe is half the black wide, and no more than a sixteenth of the range.
    let radius = min(0.5 * black, (1 - black) / 16)
    start = Float(black - radius)
    width = Float(2 * radius)
    curvature = Float(1 / (4 * radius))
    slope = Float(1 / (1 - black))
  }

  func apply(_ row: PixelRow) {
    let start = Lanes(repeating: start)
    let width = Lanes(repeating: width)
    let curvature = Lanes(repeating: curvature)
    let slope = Lanes(repeating: slope)
    let zero = Lanes(repeating: 0)
    for color in 0..<3 {
      let samples = row.rows[color]
      for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
        let above = (samples[lanes: i] - start).maximum(zero)
        let toe = above.minimum(width)
        // Past the toe the parabola has given radius = width / 2 of width, the line gives the rest.
        let parabola = toe * toe * curvature
        samples[lanes: i] = (parabola + (above - toe)) * slope
      }
    }
  }
}
