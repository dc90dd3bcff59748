extension ToneStage {
  func apply(_ row: PixelRow) {
    switch curve {
    case .base(let curve):
      let curve = LaneCurve(self, curve)
      apply(row) { curve.value($0) }
    case .profile(let table):
      let shadows = ShadowShape(self)
      let amount = Lanes(repeating: amount)
      apply(row) { x in
        // Within 0 and 1 as x is: the shape reaches 1 at most for k = 2 and x up to mid grey.
        x + (table.value(shadows.value(x)) - x) * amount
      }
    }
  }

  @inline(__always)
  private func apply(_ row: PixelRow, curve: (Lanes) -> Lanes) {
    guard amount < 1 else { return apply(row, curve: curve) { mapped, _, _ in mapped } }
    let rest = Lanes(repeating: 1 - amount)
    apply(row, curve: curve) { mapped, value, held in mapped + (value - held) * rest }
  }

  /// `outside` adds to a mapped channel what of its value lay outside 0 to 1 where it was held.
  @inline(__always)
  private func apply(
    _ row: PixelRow,
    curve: (Lanes) -> Lanes,
    outside: (_ mapped: Lanes, _ value: Lanes, _ held: Lanes) -> Lanes
  ) {
    let redRow = row.rows[0]
    let greenRow = row.rows[1]
    let blueRow = row.rows[2]
    for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
      let red = redRow[lanes: i].clamped(0, 1)
      let green = greenRow[lanes: i].clamped(0, 1)
      let blue = blueRow[lanes: i].clamped(0, 1)
      let largest = red.maximum(green).maximum(blue)
      let smallest = red.minimum(green).minimum(blue)
      let high = curve(largest)
      let low = curve(smallest)
      // Equal channels have a range of 0 on both sides of the quotient, so any divisor will do.
      let range = (largest - smallest).maximum(Lanes(repeating: 1e-20))
      let ratio = (high - low) / range
      redRow[lanes: i] = outside(low + (red - smallest) * ratio, redRow[lanes: i], red)
      greenRow[lanes: i] = outside(low + (green - smallest) * ratio, greenRow[lanes: i], green)
      blueRow[lanes: i] = outside(low + (blue - smallest) * ratio, blueRow[lanes: i], blue)
    }
  }

  /// The curve of one channel in the precision of pixels.
  private struct LaneCurve {
    let p: Lanes
    let q: Lanes
    let b: Lanes
    let c: Lanes
    let amount: Lanes
    let shadows: ShadowShape

    init(_ stage: ToneStage, _ curve: ToneCurve) {
      p = Lanes(repeating: Float(curve.p))
      q = Lanes(repeating: Float(curve.q))
      b = Lanes(repeating: Float(curve.b))
      c = Lanes(repeating: Float(curve.c))
      amount = Lanes(repeating: stage.amount)
      shadows = ShadowShape(stage)
    }

    /// For `x` within 0 and 1.
    @inline(__always)
    func value(_ x: Lanes) -> Lanes {
      let one = Lanes(repeating: 1)
      let shaped = shadows.value(x)
      let numerator = shaped * (shaped * p + q)
      let denominator = shaped * (shaped * b + c) + one
      return x + (numerator / denominator - x) * amount
    }
  }

  /// `g`, the shape of the shadows.
  private struct ShadowShape {
    let lift: Lanes
    let inverseEnd: Lanes

    init(_ stage: ToneStage) {
      lift = Lanes(repeating: stage.shadowLift)
      inverseEnd = Lanes(repeating: 1 / ToneStage.shadowEnd)
    }

    @inline(__always)
    func value(_ x: Lanes) -> Lanes {
      let t = (x * inverseEnd).minimum(Lanes(repeating: 1))
      let fall = t * t * (Lanes(repeating: 3) - (t + t))
      return x + x * (lift - lift * fall)
    }
  }
}
