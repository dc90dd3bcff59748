/// A power curve with a linear toe, from linear light to an encoded value and back.
///
/// `encoded = scale * linear^(1/exponent) - (scale - 1)` above `linearEnd`, `slope * linear` below;
/// negative values are mirrored, so that wide-gamut colours survive a round trip.
package struct TransferFunction: Equatable, Sendable {
  package let exponent: Double
  package let scale: Double
  package let slope: Double
  /// The end of the toe in linear light.
  package let linearEnd: Double

  /// sRGB and Display P3: IEC 61966-2-1.
  package static let sRGB = TransferFunction(
    exponent: 2.4,
    scale: 1.055,
    slope: 12.92,
    linearEnd: 0.0031308
  )
  /// ROMM RGB: ISO 22028-2.
  package static let romm = TransferFunction(
    exponent: 1.8,
    scale: 1,
    slope: 16,
    linearEnd: 0.001953125
  )
  /// ITU-R BT.2020-2, table 4, for 12 bits.
  package static let rec2020 = TransferFunction(
    exponent: 1 / 0.45,
    scale: 1.0993,
    slope: 4.5,
    linearEnd: 0.0181
  )
  /// Linear light.
  package static let linear = TransferFunction(exponent: 1, scale: 1, slope: 1, linearEnd: 0)

  /// A plain power, without a toe.
  package init(power: Double) {
    self.init(exponent: power, scale: 1, slope: 1, linearEnd: 0)
  }

  package init(exponent: Double, scale: Double, slope: Double, linearEnd: Double) {
    self.exponent = exponent
    self.scale = scale
    self.slope = slope
    self.linearEnd = linearEnd
  }

  package func encode(_ linear: Double) -> Double {
    if linear < 0 { return -encode(-linear) }
    if linear <= linearEnd { return slope * linear }
    return scale * PortableMath.pow(linear, 1 / exponent) - (scale - 1)
  }

  package func decode(_ encoded: Double) -> Double {
    if encoded < 0 { return -decode(-encoded) }
    if encoded <= slope * linearEnd { return encoded / slope }
    return PortableMath.pow((encoded + scale - 1) / scale, exponent)
  }
}
