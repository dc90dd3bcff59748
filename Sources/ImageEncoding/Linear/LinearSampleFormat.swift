/// How the samples of a linear picture are stored.
package enum LinearSampleFormat: Equatable, Sendable {
  /// IEEE 754 of 32 bits.
  case float32
  /// IEEE 754 of 16 bits: eleven bits of significand, up to 65,504.
  case float16
  /// Codes from 0: a value is its code times `step`.
  case uint16(step: Double)

  /// Bytes of a sample.
  package var byteCount: Int {
    switch self {
    case .float32: 4
    case .float16, .uint16: 2
    }
  }

  package var isFloatingPoint: Bool {
    switch self {
    case .float32, .float16: true
    case .uint16: false
    }
  }
}
