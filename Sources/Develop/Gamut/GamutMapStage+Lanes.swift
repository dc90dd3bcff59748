extension GamutMapStage {
  func apply(_ row: PixelRow) {
    let redRow = row.rows[0]
    let greenRow = row.rows[1]
    let blueRow = row.rows[2]
    let scaleRed = Float(scales.x)
    let scaleGreen = Float(scales.y)
    let scaleBlue = Float(scales.z)
    let share = Lanes(repeating: Float(1 - Self.threshold))
    let zero = Lanes(repeating: 0)
    for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
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
      redRow[lanes: i] = Self.compressed(red, floor, largest * scaleRed)
      greenRow[lanes: i] = Self.compressed(green, floor, largest * scaleGreen)
      blueRow[lanes: i] = Self.compressed(blue, floor, largest * scaleBlue)
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
