extension GamutMapStage {
  /// The scales in the precision of pixels.
  struct Scales {
    let red: Float
    let green: Float
    let blue: Float
  }

  var laneScales: Scales {
    Scales(red: Float(scales.x), green: Float(scales.y), blue: Float(scales.z))
  }

  /// Compresses three channels in place.
  static func apply(_ rows: [3 of SampleRow], _ range: Range<Int>, _ scales: Scales) {
    let redRow = rows[0]
    let greenRow = rows[1]
    let blueRow = rows[2]
    let share = Lanes(repeating: Float(1 - threshold))
    let zero = Lanes(repeating: 0)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let red = redRow[lanes: i]
      let green = greenRow[lanes: i]
      let blue = blueRow[lanes: i]
      let largest = red.maximum(green).maximum(blue)
      let smallest = red.minimum(green).minimum(blue)
      // The value of a channel at the threshold.
      let floor = largest * share
      // Few pixels of few pictures come this far: skip on the sign of the smallest difference.
      let margin = (smallest - floor).replacing(with: zero, where: largest .<= zero)
      guard margin.hasNegative else { continue }
      redRow[lanes: i] = compressed(red, floor, largest * scales.red)
      greenRow[lanes: i] = compressed(green, floor, largest * scales.green)
      blueRow[lanes: i] = compressed(blue, floor, largest * scales.blue)
    }
  }

  /// With everything in units of the largest channel: `(d - t)` is `excess`, `s` is `scale`.
  @inline(__always)
  private static func compressed(_ channel: Lanes, _ floor: Lanes, _ scale: Lanes) -> Lanes {
    let zero = Lanes(repeating: 0)
    let excess = floor - channel
    let kept = floor - excess * scale / (scale + excess)
    return channel.replacing(with: kept, where: (excess .> zero) .& (scale .> zero))
  }
}
