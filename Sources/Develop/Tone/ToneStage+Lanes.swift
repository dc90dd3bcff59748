extension ToneStage {
  func apply(_ row: PixelRow) {
    switch curve {
    case .base(let curve): apply(row, BaseLanes(self, curve))
    case .profile(let table): apply(row, ProfileLanes(self, table))
    }
  }

  @inline(__always)
  private func apply(_ row: PixelRow, _ curve: some LaneCurve) {
    let redRow = row.rows[0]
    let greenRow = row.rows[1]
    let blueRow = row.rows[2]
    // What of a value lay outside 0 to 1 where it was held comes back with what the amount leaves.
    let rest: Lanes? = amount < 1 ? Lanes.constant(1 - amount) : nil
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
      var mappedRed = low + (red - smallest) * ratio
      var mappedGreen = low + (green - smallest) * ratio
      var mappedBlue = low + (blue - smallest) * ratio
      if let rest {
        mappedRed += (redRow[lanes: i] - red) * rest
        mappedGreen += (greenRow[lanes: i] - green) * rest
        mappedBlue += (blueRow[lanes: i] - blue) * rest
      }
      redRow[lanes: i] = mappedRed
      greenRow[lanes: i] = mappedGreen
      blueRow[lanes: i] = mappedBlue
    }
  }

  /// The curve of one channel in the precision of pixels.
  private struct BaseLanes: LaneCurve {
    let p: Lanes
    let q: Lanes
    let b: Lanes
    let c: Lanes
    let amount: Lanes
    let shadows: ShadowShape

    init(_ stage: ToneStage, _ curve: ToneCurve) {
      p = Lanes.constant(Float(curve.p))
      q = Lanes.constant(Float(curve.q))
      b = Lanes.constant(Float(curve.b))
      c = Lanes.constant(Float(curve.c))
      amount = Lanes.constant(stage.amount)
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

  /// A profile's curve of one channel.
  private struct ProfileLanes: LaneCurve {
    let table: CurveTable
    let amount: Lanes
    let shadows: ShadowShape

    init(_ stage: ToneStage, _ table: CurveTable) {
      self.table = table
      amount = Lanes.constant(stage.amount)
      shadows = ShadowShape(stage)
    }

    /// For `x` within 0 and 1, as is what the table gets: the shape reaches 1 at most for k = 2 and x up
    /// to mid grey.
    @inline(__always)
    func value(_ x: Lanes) -> Lanes {
      x + (table.value(shadows.value(x)) - x) * amount
    }
  }

  /// `g`, the shape of the shadows.
  private struct ShadowShape {
    let lift: Lanes
    let inverseEnd: Lanes

    init(_ stage: ToneStage) {
      lift = Lanes.constant(stage.shadowLift)
      inverseEnd = Lanes.constant(1 / ToneStage.shadowEnd)
    }

    @inline(__always)
    func value(_ x: Lanes) -> Lanes {
      let t = (x * inverseEnd).minimum(Lanes(repeating: 1))
      let fall = t * t * (Lanes(repeating: 3) - (t + t))
      return x + x * (lift - lift * fall)
    }
  }
}

/// What one channel goes through, for eight pixels.
private protocol LaneCurve {
  func value(_ x: Lanes) -> Lanes
}
