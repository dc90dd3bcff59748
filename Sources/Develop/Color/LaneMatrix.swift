internal import ColorScience

/// A 3x3 matrix in the precision of pixels.
struct LaneMatrix {
  private let values: [9 of Float]

  init(_ matrix: Matrix3) {
    let r = matrix.rows
    values = [
      Float(r[0].x), Float(r[0].y), Float(r[0].z), Float(r[1].x), Float(r[1].y), Float(r[1].z),
      Float(r[2].x), Float(r[2].y), Float(r[2].z),
    ]
  }

  /// Multiplies pixels in place.
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>) {
    apply(rows, range) { $0 }
  }

  /// Clips pixels at 1, the neutral, and multiplies them, in place.
  func applyClipped(_ rows: [3 of SampleRow], _ range: Range<Int>) {
    apply(rows, range) { $0.minimum(Lanes(repeating: 1)) }
  }

  @inline(__always)
  private func apply(
    _ rows: [3 of SampleRow],
    _ range: Range<Int>,
    _ prepare: (Lanes) -> Lanes
  ) {
    let red = rows[0]
    let green = rows[1]
    let blue = rows[2]
    let rr = Lanes(repeating: values[0])
    let rg = Lanes(repeating: values[1])
    let rb = Lanes(repeating: values[2])
    let gr = Lanes(repeating: values[3])
    let gg = Lanes(repeating: values[4])
    let gb = Lanes(repeating: values[5])
    let br = Lanes(repeating: values[6])
    let bg = Lanes(repeating: values[7])
    let bb = Lanes(repeating: values[8])
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let r = prepare(red[lanes: i])
      let g = prepare(green[lanes: i])
      let b = prepare(blue[lanes: i])
      red[lanes: i] = r * rr + g * rg + b * rb
      green[lanes: i] = r * gr + g * gg + b * gb
      blue[lanes: i] = r * br + g * bg + b * bb
    }
  }
}
