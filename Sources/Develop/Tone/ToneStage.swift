internal import ColorScience

/// The tone curve, in linear RIMM.
///
/// The largest and the smallest channel go through `y = x + boost (T(g(x)) - x)`, the middle one keeps
/// its place between them, which keeps the hue (a curve on each channel alone would not). `g` shapes the
/// shadows: `g(x) = x (1 + (k - 1) w(x))` with `k = 2^(boostShadowAmount - 1)` and `w` a smoothstep from
/// 1 at black to 0 at mid grey; it stays monotone for k from 1/2 to 2. Values are held within 0 and 1
/// before the curve. With a boost of 0 there is no curve at all, and values outside 0 to 1 stay.
/// Version 1.
struct ToneStage: PixelStage, Equatable {
  static let name = "tone"

  let amount: Float
  /// `k - 1`.
  let shadowLift: Float
  let curve: ToneCurve

  /// Where `g` ends: mid grey.
  static let shadowEnd: Float = 0.18

  init?(_ context: StageContext) {
    guard context.settings.boostAmount > 0 else { return nil }
    amount = Float(context.settings.boostAmount)
    shadowLift = Float(PortableMath.exp2(context.settings.boostShadowAmount - 1) - 1)
    curve = .base
  }
}
