extension BlackRamp {
  /// Takes the black point off three channels, in place.
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>) {
    let start = Lanes(repeating: start)
    let width = Lanes(repeating: width)
    let curvature = Lanes(repeating: curvature)
    let slope = Lanes(repeating: slope)
    let zero = Lanes(repeating: 0)
    for color in 0..<3 {
      let row = rows[color]
      for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        let above = (row[lanes: i] - start).maximum(zero)
        let toe = above.minimum(width)
        // Past the toe the parabola has given radius = width / 2 of width, the line gives the rest.
        let parabola = toe * toe * curvature
        row[lanes: i] = (parabola + (above - toe)) * slope
      }
    }
  }
}

extension ToneStage.Boost {
  /// The hue-preserving curve of three channels, in place.
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>) {
    let redRow = rows[0]
    let greenRow = rows[1]
    let blueRow = rows[2]
    let curve = LaneCurve(self)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let red = redRow[lanes: i].clamped(0, 1)
      let green = greenRow[lanes: i].clamped(0, 1)
      let blue = blueRow[lanes: i].clamped(0, 1)
      let largest = red.maximum(green).maximum(blue)
      let smallest = red.minimum(green).minimum(blue)
      let high = curve.value(largest)
      let low = curve.value(smallest)
      // Equal channels have a range of 0 on both sides of the quotient, so any divisor will do.
      let range = (largest - smallest).maximum(Lanes(repeating: 1e-20))
      let ratio = (high - low) / range
      redRow[lanes: i] = low + (red - smallest) * ratio
      greenRow[lanes: i] = low + (green - smallest) * ratio
      blueRow[lanes: i] = low + (blue - smallest) * ratio
    }
  }

  /// The curve of one channel in the precision of pixels.
  private struct LaneCurve {
    let p: Lanes
    let q: Lanes
    let b: Lanes
    let c: Lanes
    let amount: Lanes
    let lift: Lanes
    let inverseEnd: Lanes

    init(_ boost: ToneStage.Boost) {
      p = Lanes(repeating: Float(boost.curve.p))
      q = Lanes(repeating: Float(boost.curve.q))
      b = Lanes(repeating: Float(boost.curve.b))
      c = Lanes(repeating: Float(boost.curve.c))
      amount = Lanes(repeating: boost.amount)
      lift = Lanes(repeating: boost.shadowLift)
      inverseEnd = Lanes(repeating: 1 / ToneStage.shadowEnd)
    }

    /// For `x` within 0 and 1.
    @inline(__always)
    func value(_ x: Lanes) -> Lanes {
      let one = Lanes(repeating: 1)
      let t = (x * inverseEnd).minimum(one)
      let fall = t * t * (Lanes(repeating: 3) - (t + t))
      let shaped = x + x * (lift - lift * fall)
      let numerator = shaped * (shaped * p + q)
      let denominator = shaped * (shaped * b + c) + one
      return x + (numerator / denominator - x) * amount
    }
  }
}
