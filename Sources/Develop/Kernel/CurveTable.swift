/// A function from 0...1 to numbers as a table, for kernels: steps of equal ratio rather than of equal
/// width, so that shadows have as many as highlights.
///
/// The index is made of the upper bits of `x + 1/256`, as in `EncodingTables`: 1024 steps an octave over
/// eight octaves, linear between. A function whose second derivative stays under `0.1 / (x + 1/256)^2`
/// (the sRGB curves do) comes out within 1.2e-8.
struct CurveTable: Equatable, Sendable {
  private let values: [Float]

  /// - Parameter function: Asked for numbers from 0 to 1, in ascending order.
  init(_ function: (Double) -> Double) {
    values = (0..<EncodingTables.count).map { index in
      let bits = EncodingTables.blackBits + UInt32(index) << EncodingTables.fractionBits
      let x = Double(Float(bitPattern: bits)) - Double(EncodingTables.offset)
      return Float(function(min(max(x, 0), 1)))
    }
  }

  /// The function at `x`, held within 0 and 1; at 0 for what is not a number.
  @inline(__always)
  func value(_ x: Float) -> Float {
    let clamped = x > 0 ? min(x, 1) : 0
    let position = (clamped + EncodingTables.offset).bitPattern - EncodingTables.blackBits
    // Within the table: `clamped` is at most 1, whose index is the last but one.
    let index = Int(position >> EncodingTables.fractionBits)
    let mask: UInt32 = (1 << EncodingTables.fractionBits) - 1
    let fraction = Float(position & mask) * Self.fractionScale
    let low = values[index]
    return low + (values[index + 1] - low) * fraction
  }

  /// The function of eight numbers.
  @inline(__always)
  func value(_ x: Lanes) -> Lanes {
    var result = Lanes()
    for lane in 0..<Lanes.laneCount { result[lane] = value(x[lane]) }
    return result
  }

  private static let fractionScale = Float(
    sign: .plus,
    exponent: -Int(EncodingTables.fractionBits),
    significand: 1
  )
}
