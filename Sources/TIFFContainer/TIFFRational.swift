/// A RATIONAL value: two unsigned 32-bit numbers.
package struct TIFFRational: Hashable, Sendable {
  package var numerator: UInt32
  package var denominator: UInt32

  package init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The nearest multiple of 1 / `denominator`, clamped to what the type holds; NaN gives zero.
  package init(rounding value: Double, denominator: UInt32) {
    let scaled = (value * Double(denominator)).rounded()
    let clamped = min(max(scaled, 0), Double(UInt32.max))
    self.init(clamped.isNaN ? 0 : UInt32(clamped), denominator)
  }
}
