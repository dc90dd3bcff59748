internal import ColorScience
internal import Raster

/// One thing in the picture: where it is, and its colour at each point there.
struct SceneElement {
  /// What the element shows; colours are XYZ under D50 with white at Y = 1.
  enum Content {
    case flat(Vector3)
    /// Neutral, from left to right by `stops` EV up to `brightest`, in equal steps or evenly.
    case ramp(brightest: Double, stops: Double, steps: Int?)
    /// Rings around the middle whose frequency grows with the radius to half a cycle a pixel at the
    /// nearest edge; plain grey beyond.
    case zonePlate
    /// Bars of the given pitches in pixels, side by side; the lower half has them lying.
    case lineBars(pitches: [Double])
  }

  /// Its place in the upright picture, in pixels.
  let bounds: Region
  let content: Content

  /// The colour at a point of the upright picture, in pixels from its left and its top.
  func color(x: Double, y: Double) -> Vector3 {
    let u = (x - Double(bounds.left)) / Double(bounds.width)
    let v = (y - Double(bounds.top)) / Double(bounds.height)
    switch content {
    case .flat(let color):
      return color
    case .ramp(let brightest, let stops, let steps):
      var position = min(max(u, 0), 1)
      if let steps {
        position = (position * Double(steps)).rounded(.down) / Double(max(1, steps - 1))
      }
      return gray(brightest * PortableMath.exp2((min(position, 1) - 1) * stops))
    case .zonePlate:
      let dx = x - Double(bounds.left) - Double(bounds.width) / 2
      let dy = y - Double(bounds.top) - Double(bounds.height) / 2
      let radius = Double(min(bounds.width, bounds.height)) / 2
      guard dx * dx + dy * dy < radius * radius else { return gray(0.3) }
      // The phase pi r^2 / (2 radius) has the frequency r / (2 radius) cycles a pixel.
      let phase = (dx * dx + dy * dy) * (Double.pi / 2) / radius
      return gray(0.3 + 0.25 * PortableMath.cos(phase))
    case .lineBars(let pitches):
      let band = min(max(u, 0), 0.999_999) * Double(pitches.count)
      let pitch = pitches[Int(band)]
      let along = v < 0.5 ? x : y
      let cycle = along / pitch
      let distance = abs(cycle - cycle.rounded(.down) - 0.5) - 0.25
      // Edges one pixel wide, as a lens would draw them.
      let coverage = min(max(0.5 + distance * pitch, 0), 1)
      return gray(0.05 + 0.6 * coverage)
    }
  }
}

/// A neutral of this luminance: XYZ of the D50 white.
func gray(_ luminance: Double) -> Vector3 {
  luminance * Chromaticity.d50.xyz
}
