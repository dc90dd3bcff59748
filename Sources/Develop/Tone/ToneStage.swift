internal import ColorScience
internal import RawModel

/// The tone curve, in linear RIMM.
///
/// The largest and the smallest channel go through `y = x + boost (T(g(x)) - x)`, the middle one keeps
/// its place between them, which keeps the hue (a curve on each channel alone would not). `g` shapes the
/// shadows: `g(x) = x (1 + (k - 1) w(x))` with `k = 2^(boostShadowAmount - 1)` and `w` a smoothstep from
/// 1 at black to 0 at mid grey; it stays monotone for k from 1/2 to 2. Values are held within 0 and 1
/// before the curve; what of them lay outside comes back times `1 - boost`, so that a boost of 0, which is
/// no curve at all, is what small ones come to. `T` is the profile's tone curve where it has one, else the
/// project's. Version 2: curves of profiles. Version 3: a boost below 1 keeps a part of what lies outside.
struct ToneStage: PixelStage, Equatable {
  static let name = "tone"
  static let version = 3

  let amount: Float
  /// `k - 1`.
  let shadowLift: Float
  let curve: Curve

  /// `T`.
  enum Curve: Equatable {
    case base(ToneCurve)
    case profile(CurveTable)
  }

  /// Where `g` ends: mid grey.
  static let shadowEnd: Float = 0.18

  init?(_ context: StageContext) throws(DevelopError) {
    guard context.settings.boostAmount > 0 else { return nil }
    amount = Float(context.settings.boostAmount)
    shadowLift = Float(PortableMath.exp2(context.settings.boostShadowAmount - 1) - 1)
    let settings = context.settings
    if settings.appliesProfile, let points = context.description.profile.toneCurve {
      let spline = try ProfileCurve(points)
      curve = .profile(CurveTable { spline.value($0) })
    } else {
      curve = .base(.base)
    }
  }
}
