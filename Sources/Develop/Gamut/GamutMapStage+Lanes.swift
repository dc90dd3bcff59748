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

  @inline(__always)
  static func apply(
    _ red: inout Lanes,
    _ green: inout Lanes,
    _ blue: inout Lanes,
    _ scales: Scales
  ) {
    let largest = red.maximum(green).maximum(blue)
    // The value of a channel at the threshold.
    let floor = largest * Float(1 - threshold)
    let smallest = red.minimum(green).minimum(blue)
    // Few pixels of few pictures come this far.
    let isOutside = (smallest .< floor) .& (largest .> 0)
    guard any(isOutside) else { return }
    red = compressed(red, floor, largest * scales.red)
    green = compressed(green, floor, largest * scales.green)
    blue = compressed(blue, floor, largest * scales.blue)
  }

  /// With everything in units of the largest channel: `(d - t)` is `excess`, `s` is `scale`.
  @inline(__always)
  private static func compressed(_ channel: Lanes, _ floor: Lanes, _ scale: Lanes) -> Lanes {
    let excess = floor - channel
    let kept = floor - excess * scale / (scale + excess)
    return channel.replacing(with: kept, where: (excess .> 0) .& (scale .> 0))
  }
}
