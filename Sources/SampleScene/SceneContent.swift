internal import ColorScience
internal import Raster

/// The picture before any camera: a sky with a sun, test charts before a grey wall.
struct SceneContent {
  /// The size of the upright picture.
  let size: PixelSize
  let elements: [SceneElement]

  init(size: PixelSize) {
    self.size = size
    var elements: [SceneElement] = []
    func place(
      _ content: SceneElement.Content,
      _ left: Double,
      _ top: Double,
      _ right: Double,
      _ bottom: Double
    ) {
      let x0 = Int((left * Double(size.width)).rounded())
      let x1 = Int((right * Double(size.width)).rounded())
      let y0 = Int((top * Double(size.height)).rounded())
      let y1 = Int((bottom * Double(size.height)).rounded())
      guard x1 > x0, y1 > y0 else { return }
      elements.append(
        SceneElement(
          bounds: Region(left: x0, top: y0, width: x1 - x0, height: y1 - y0),
          content: content
        )
      )
    }
    // The colour chart on its dark board.
    place(.flat(gray(0.012)), 0.03, 0.47, 0.45, 0.81)
    for (index, lab) in ColorCheckerPatches.lab.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: 6)
      let left = 0.0375 + 0.068 * Double(column)
      let top = 0.48 + 0.0815 * Double(row)
      place(.flat(lab.xyz(white: .d50)), left, top, left + 0.060, top + 0.0715)
    }
    // The primaries and secondaries of Display P3, a tenth of white mixed in.
    let toXYZ = RGBSpace.displayP3.matrix(toXYZUnder: .d50)
    let saturated: [Vector3] = [
      Vector3(1, 0, 0), Vector3(1, 1, 0), Vector3(0, 1, 0),
      Vector3(0, 1, 1), Vector3(0, 0, 1), Vector3(1, 0, 1),
    ]
    for (index, primary) in saturated.enumerated() {
      let left = 0.03 + 0.07 * Double(index)
      let color = toXYZ * (0.5 * (0.9 * primary + Vector3(repeating: 0.1)))
      place(.flat(color), left, 0.84, left + 0.07, 0.96)
    }
    place(.ramp(brightest: 1.6, stops: 12, steps: nil), 0.49, 0.47, 0.97, 0.55)
    place(.ramp(brightest: 1, stops: 10, steps: 21), 0.49, 0.57, 0.97, 0.65)
    place(.zonePlate, 0.49, 0.68, 0.72, 0.97)
    place(.lineBars(pitches: [16, 8, 6, 4, 3, 2.5, 2]), 0.74, 0.68, 0.97, 0.97)
    self.elements = elements
  }

  /// What is behind all elements: the sky with its sun down to the horizon, a grey wall below.
  func background(x: Double, y: Double) -> Vector3 {
    let horizon = 0.43 * Double(size.height)
    guard y < horizon else { return gray(0.18) }
    let height = 1 - y / horizon
    // From a pale horizon to a blue zenith, smooth enough to show banding.
    let pale = Vector3(0.60, 0.64, 0.62)
    let blue = Vector3(0.16, 0.17, 0.36)
    let sky = pale + (height * (2 - height)) * (blue - pale)
    let short = Double(min(size.width, size.height))
    let dx = (x - 0.78 * Double(size.width)) / short
    let dy = (y - 0.17 * Double(size.height)) / short
    let distance = (dx * dx + dy * dy).squareRoot()
    // A disc far over the clip with a soft rim, and a glow that falls with the square.
    let disc = min(max((0.04 - distance) * 200 + 0.5, 0), 1)
    let glow = 0.0009 / (distance * distance + 0.0009)
    return sky + gray(8 * disc + 0.8 * glow)
  }
}
