extension Lab {
  /// The CIEDE2000 colour difference with all parametric factors 1.
  ///
  /// CIE 142-2001, in the formulation of Sharma, Wu & Dalal, "The CIEDE2000 Color-Difference Formula:
  /// Implementation Notes, Supplementary Test Data, and Mathematical Observations", Color Res. Appl.
  /// 30 (2005) 21, whose equation numbers the comments give.
  package func ciede2000(to other: Lab) -> Double {
    let first = self
    let second = other
    func seventh(_ x: Double) -> Double {
      let cube = x * x * x
      return cube * cube * x
    }
    let chromaMean = (first.chroma + second.chroma) / 2
    let chromaPower = seventh(chromaMean)
    // (4): stretches a* near the neutral axis.
    let g = 0.5 * (1 - (chromaPower / (chromaPower + Self.power25)).squareRoot())
    let a1 = (1 + g) * first.a
    let a2 = (1 + g) * second.a
    let c1 = (a1 * a1 + first.b * first.b).squareRoot()
    let c2 = (a2 * a2 + second.b * second.b).squareRoot()
    let h1 = Self.hueDegrees(a1, first.b)
    let h2 = Self.hueDegrees(a2, second.b)

    let lightnessDifference = second.lightness - first.lightness
    let chromaDifference = c2 - c1
    // (10): the hue difference within +-180 degrees, none where a colour has no hue.
    var hueStep = 0.0
    if c1 * c2 != 0 {
      hueStep = h2 - h1
      if hueStep > Self.halfTurn { hueStep -= 360 }
      if hueStep < -Self.halfTurn { hueStep += 360 }
    }
    let hueDifference = 2 * (c1 * c2).squareRoot() * Self.sinDegrees(hueStep / 2)

    let lightnessMean = (first.lightness + second.lightness) / 2
    let c = (c1 + c2) / 2
    // (14): the mean hue on the shorter arc.
    var hue = h1 + h2
    if c1 * c2 != 0 {
      if abs(h1 - h2) <= Self.halfTurn {
        hue = (h1 + h2) / 2
      } else {
        hue = h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2
      }
    }
    var t = 1 - 0.17 * Self.cosDegrees(hue - 30) + 0.24 * Self.cosDegrees(2 * hue)
    t += 0.32 * Self.cosDegrees(3 * hue + 6) - 0.20 * Self.cosDegrees(4 * hue - 63)
    let bump = (hue - 275) / 25
    let rotation = 30 * PortableMath.exp(-bump * bump)
    let cPower = seventh(c)
    let rc = 2 * (cPower / (cPower + Self.power25)).squareRoot()
    let offset = (lightnessMean - 50) * (lightnessMean - 50)
    let sl = 1 + 0.015 * offset / (20 + offset).squareRoot()
    let sc = 1 + 0.045 * c
    let sh = 1 + 0.015 * c * t
    let rt = -Self.sinDegrees(2 * rotation) * rc

    let l = lightnessDifference / sl
    let k = chromaDifference / sc
    let h = hueDifference / sh
    return max(0, l * l + k * k + h * h + rt * k * h).squareRoot()
  }

  private var chroma: Double { (a * a + b * b).squareRoot() }

  /// 180 degrees, with room for rounding: hues that are opposite on paper count as opposite.
  private static let halfTurn = 180 + 1e-9

  private static let power25 = 6_103_515_625.0  // 25^7

  private static func hueDegrees(_ a: Double, _ b: Double) -> Double {
    guard a != 0 || b != 0 else { return 0 }
    let degrees = PortableMath.atan2(b, a) * (180 / Double.pi)
    return degrees < 0 ? degrees + 360 : degrees
  }

  private static func sinDegrees(_ degrees: Double) -> Double {
    PortableMath.sin(degrees * (Double.pi / 180))
  }

  private static func cosDegrees(_ degrees: Double) -> Double {
    PortableMath.cos(degrees * (Double.pi / 180))
  }
}
