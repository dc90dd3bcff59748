internal import ColorScience

/// A 3x3 matrix in the precision of pixels.
struct LaneMatrix {
  private let rows: [9 of Float]

  init(_ matrix: Matrix3) {
    let r = matrix.rows
    rows = [
      Float(r[0].x), Float(r[0].y), Float(r[0].z), Float(r[1].x), Float(r[1].y), Float(r[1].z),
      Float(r[2].x), Float(r[2].y), Float(r[2].z),
    ]
  }

  @inline(__always)
  func apply(_ red: inout Lanes, _ green: inout Lanes, _ blue: inout Lanes) {
    let r = red * rows[0] + green * rows[1] + blue * rows[2]
    let g = red * rows[3] + green * rows[4] + blue * rows[5]
    let b = red * rows[6] + green * rows[7] + blue * rows[8]
    red = r
    green = g
    blue = b
  }
}
