import ColorScience

/// The stages on single pixels, naively, in double precision: the twin of the fused kernel.
struct PixelTwin {
  var cameraToWorking: Matrix3
  var exposureEV = 0.0
  var black = 0.0
  var boostAmount = 0.0
  var boostShadowAmount = 1.0
  var isGamutMapped = false

  private static func curve(_ x: Double) -> Double {
    // The base curve's conditions, solved by Cramer's rule for x (p x + q) / (b x^2 + c x + 1):
    // T(1) = 1, T(0.18) = 0.38, T'(0) = 0.75 = q, T'(1) = 0.2.
    let q = 0.75
    let m = 0.18
    let v = 0.38
    let s = 0.2
    // Unknowns p, b, c: p - b - c = 1 - q; m^2 p - v m^2 b - v m c = v - m q;
    // (2 - s) p - (2 - 0) b - c = s q - q.
    let system = Matrix3(
      Vector3(1, -1, -1),
      Vector3(m * m, -v * m * m, -v * m),
      Vector3(2 - s, -2, -1)
    )
    let right = Vector3(1 - q, v - m * q, s * q - q)
    guard let inverse = system.inverse else { preconditionFailure("the curve has a solution") }
    let solution = inverse * right
    return x * (solution.x * x + q) / (solution.y * x * x + solution.z * x + 1)
  }

  private func toned(_ x: Double) -> Double {
    let t = min(x / 0.18, 1)
    let weight = 1 - t * t * (3 - 2 * t)
    let shaped = x * (1 + (PortableMath.exp2(boostShadowAmount - 1) - 1) * weight)
    return (1 - boostAmount) * x + boostAmount * Self.curve(shaped)
  }

  private func ramped(_ x: Double) -> Double {
    guard black > 0 else { return x }
    let radius = min(0.5 * black, (1 - black) / 16)
    if x <= black - radius { return 0 }
    if x >= black + radius { return (x - black) / (1 - black) }
    let start = x - (black - radius)
    return start * start / (4 * radius) / (1 - black)
  }

  /// Linear Display P3, clipped, of balanced camera values.
  func render(_ camera: Vector3) -> Vector3 {
    var color = cameraToWorking * pointwiseMin(camera, Vector3(1, 1, 1))
    color *= PortableMath.exp2(exposureEV)
    for channel in 0..<3 { color[channel] = ramped(color[channel]) }
    if boostAmount > 0 {
      let free = color
      color.clamp(lowerBound: Vector3(0, 0, 0), upperBound: Vector3(1, 1, 1))
      let outside = free - color
      let order = [0, 1, 2].sorted { color[$0] < color[$1] }
      let low = color[order[0]]
      let middle = color[order[1]]
      let high = color[order[2]]
      color[order[0]] = toned(low)
      color[order[2]] = toned(high)
      let share = high > low ? (middle - low) / (high - low) : 0
      color[order[1]] = toned(low) + (toned(high) - toned(low)) * share
      color += (1 - boostAmount) * outside
    }
    color = RGBSpace.romm.matrix(to: .displayP3) * color
    if isGamutMapped { color = gamutMapped(color) }
    color.clamp(lowerBound: Vector3(0, 0, 0), upperBound: Vector3(1, 1, 1))
    return color
  }

  /// The largest distances that ROMM RGB has in Display P3: its cone's edges, walked in small steps.
  private static let limits: Vector3 = {
    let matrix = RGBSpace.romm.matrix(to: .displayP3)
    var limits = Vector3(0, 0, 0)
    for step in 0...200_000 {
      let share = Double(step) / 200_000
      for edge in [
        Vector3(share, 1 - share, 0), Vector3(0, share, 1 - share), Vector3(1 - share, 0, share),
      ] {
        let color = matrix * edge
        limits = pointwiseMax(limits, (Vector3(repeating: color.max()) - color) / color.max())
      }
    }
    return limits
  }()

  private func gamutMapped(_ color: Vector3) -> Vector3 {
    let largest = color.max()
    guard largest > 0 else { return color }
    let limits = Self.limits
    var result = color
    for channel in 0..<3 {
      let distance = (largest - color[channel]) / largest
      guard distance > 0.9 else { continue }
      let limit = limits[channel]
      let scale = (limit - 0.9) * 0.1 / (limit - 1)
      let compressed = 0.9 + (distance - 0.9) / (1 + (distance - 0.9) / scale)
      result[channel] = largest * (1 - compressed)
    }
    return result
  }
}
