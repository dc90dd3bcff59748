extension ToneStage {
  func apply(_ row: PixelRow) {
    let redRow = row.rows[0]
    let greenRow = row.rows[1]
    let blueRow = row.rows[2]
    let curve = LaneCurve(self)
    for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
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

    init(_ stage: ToneStage) {
      p = Lanes(repeating: Float(stage.curve.p))
      q = Lanes(repeating: Float(stage.curve.q))
      b = Lanes(repeating: Float(stage.curve.b))
      c = Lanes(repeating: Float(stage.curve.c))
      amount = Lanes(repeating: stage.amount)
      lift = Lanes(repeating: stage.shadowLift)
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
