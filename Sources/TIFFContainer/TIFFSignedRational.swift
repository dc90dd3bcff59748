/// An SRATIONAL value: two signed 32-bit numbers.
package struct TIFFSignedRational: Hashable, Sendable {
  package var numerator: Int32
  package var denominator: Int32

  package init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The nearest multiple of 1 / `denominator`, clamped to what the type holds; NaN gives zero.
  package init(rounding value: Double, denominator: Int32) {
    let scaled = (value * Double(denominator)).rounded()
    let clamped = min(max(scaled, Double(Int32.min)), Double(Int32.max))
    self.init(clamped.isNaN ? 0 : Int32(clamped), denominator)
  }
}
