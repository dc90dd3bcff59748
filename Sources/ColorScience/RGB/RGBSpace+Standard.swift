extension RGBSpace {
  /// Display P3: the primaries of SMPTE RP 431-2 with D65 (SMPTE EG 432-1).
  package static let displayP3 = standard(0.680, 0.320, 0.265, 0.690, 0.150, 0.060, .d65)

  /// The primaries of sRGB and BT.709: IEC 61966-2-1.
  package static let sRGB = standard(0.64, 0.33, 0.30, 0.60, 0.15, 0.06, .d65)

  /// Adobe RGB (1998), version 2005-05.
  package static let adobeRGB = standard(0.64, 0.33, 0.21, 0.71, 0.15, 0.06, .d65)

  /// ITU-R BT.2020.
  package static let rec2020 = standard(0.708, 0.292, 0.170, 0.797, 0.131, 0.046, .d65)

  /// ROMM RGB (RIMM primaries, ProPhoto): ISO 22028-2.
  package static let romm = standard(0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001, .d50)

  /// ACES2065-1: the primaries AP0 and white of SMPTE ST 2065-1.
  package static let acesAP0 = standard(0.7347, 0.2653, 0, 1, 0.0001, -0.0770, .aces)

  private static func standard(
    _ rx: Double,
    _ ry: Double,
    _ gx: Double,
    _ gy: Double,
    _ bx: Double,
    _ by: Double,
    _ white: Chromaticity
  ) -> RGBSpace {
    let space = RGBSpace(
      red: Chromaticity(x: rx, y: ry),
      green: Chromaticity(x: gx, y: gy),
      blue: Chromaticity(x: bx, y: by),
      white: white
    )
    guard let space else { preconditionFailure("a standard space spans a volume") }
    return space
  }
}
