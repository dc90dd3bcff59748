extension BlackRamp {
  @inline(__always)
  func apply(_ x: Lanes) -> Lanes {
    let above = (x - start).maximum(Lanes(repeating: 0))
    let toe = above.minimum(Lanes(repeating: width))
    // Past the toe the parabola has given radius = width / 2 of width, the line gives the rest.
    let parabola = toe * toe * curvature
    return (parabola + (above - toe)) * slope
  }
}

extension ToneStage.Boost {
  /// The curve of one channel that lies within 0 and 1.
  @inline(__always)
  func curve(_ x: Lanes, _ coefficients: Coefficients) -> Lanes {
    let t = (x * (1 / ToneStage.shadowEnd)).minimum(Lanes(repeating: 1))
    let fall = t * t * (t * -2 + 3)
    let shaped = x + x * (shadowLift - shadowLift * fall)
    let numerator = shaped * (shaped * coefficients.p + coefficients.q)
    let denominator = shaped * (shaped * coefficients.b + coefficients.c) + 1
    return x + (numerator / denominator - x) * amount
  }

  /// The curve's parameters in the precision of pixels.
  var coefficients: Coefficients {
    Coefficients(p: Float(curve.p), q: Float(curve.q), b: Float(curve.b), c: Float(curve.c))
  }

  struct Coefficients {
    let p: Float
    let q: Float
    let b: Float
    let c: Float
  }

  /// The hue-preserving curve of three channels.
  @inline(__always)
  func apply(_ red: inout Lanes, _ green: inout Lanes, _ blue: inout Lanes, _ k: Coefficients) {
    red = red.clamped(0, 1)
    green = green.clamped(0, 1)
    blue = blue.clamped(0, 1)
    let largest = red.maximum(green).maximum(blue)
    let smallest = red.minimum(green).minimum(blue)
    let high = curve(largest, k)
    let low = curve(smallest, k)
    // Equal channels have a range of 0 on both sides of the quotient, so any divisor will do.
    let range = (largest - smallest).maximum(Lanes(repeating: 1e-20))
    let ratio = (high - low) / range
    red = low + (red - smallest) * ratio
    green = low + (green - smallest) * ratio
    blue = low + (blue - smallest) * ratio
  }
}
