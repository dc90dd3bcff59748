internal import ColorScience

/// Black point and tone curve, in linear RIMM.
///
/// Black: `0.001 x shadowBias x ShadowScale` of the linear range goes to 0 and white stays, along a
/// line with a quadratic toe. Curve: the largest and the smallest channel go through
/// `y = x + boost (T(g(x)) - x)`, the middle one keeps its place between them, which keeps the hue (a
/// curve on each channel alone would not). `g` shapes the shadows: `g(x) = x (1 + (k - 1) w(x))` with
/// `k = 2^(boostShadowAmount - 1)` and `w` a smoothstep from 1 at black to 0 at mid grey; it stays
/// monotone for k from 1/2 to 2. Values are held within 0 and 1 before the curve. With a boost of 0
/// there is no curve at all, and values outside 0 to 1 stay. Version 1.
struct ToneStage: Equatable, Sendable {
  let ramp: BlackRamp?
  let boost: Boost?

  struct Boost: Equatable, Sendable {
    let amount: Float
    /// `k - 1`.
    let shadowLift: Float
    let curve: ToneCurve
  }

  /// Where `g` ends: mid grey.
  static let shadowEnd: Float = 0.18

  init(_ settings: DevelopSettings, shadowScale: Double) {
    let black = 0.001 * settings.shadowBias * shadowScale
    ramp = black > 0 ? BlackRamp(black: black) : nil
    let lift = PortableMath.exp2(settings.boostShadowAmount - 1) - 1
    boost =
      settings.boostAmount > 0
      ? Boost(amount: Float(settings.boostAmount), shadowLift: Float(lift), curve: .base) : nil
  }

  /// Whether pixels come out as they went in.
  var isIdentity: Bool { ramp == nil && boost == nil }
}

/// The line from black to white with its toe: 0 up to `black - radius`, a parabola up to
/// `black + radius`, then `(x - black) / (1 - black)`.
struct BlackRamp: Equatable, Sendable {
  /// `black - radius`.
  let start: Float
  /// Twice the radius.
  let width: Float
  /// `1 / (4 radius)`.
  let curvature: Float
  let slope: Float

  /// - Parameter black: Above 0 and below 1.
  init(black: Double) {
    // The toe is half the black wide, and no more than a sixteenth of the range.
    let radius = min(0.5 * black, (1 - black) / 16)
    start = Float(black - radius)
    width = Float(2 * radius)
    curvature = Float(1 / (4 * radius))
    slope = Float(1 / (1 - black))
  }
}
