/// How a sample is predicted from its neighbours of the same component (ITU-T T.81, table H.1).
///
/// `a` is the sample to the left, `b` the one above, `c` the one above and to the left.
package enum LosslessJPEGPredictor: UInt8, CaseIterable, Sendable {
  /// a; what every reader of DNG knows.
  case left = 1
  /// b
  case above = 2
  /// c
  case aboveLeft = 3
  /// a + b - c
  case plane = 4
  /// a + (b - c) / 2
  case leftAndHalfSlope = 5
  /// b + (a - c) / 2
  case aboveAndHalfSlope = 6
  /// (a + b) / 2
  case average = 7

  /// The prediction; halves are rounded down.
  @inline(__always)
  package func predict(left a: Int32, above b: Int32, aboveLeft c: Int32) -> Int32 {
    switch self {
    case .left: a
    case .above: b
    case .aboveLeft: c
    case .plane: a &+ b &- c
    case .leftAndHalfSlope: a &+ ((b &- c) &>> 1)
    case .aboveAndHalfSlope: b &+ ((a &- c) &>> 1)
    case .average: (a &+ b) &>> 1
    }
  }
}
