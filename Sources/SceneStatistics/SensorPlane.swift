package import RawModel

/// One kind of photosite of a sensor, or one sample of a LinearRaw pixel.
///
/// Statistics are taken for each alone; the two greens are never merged, because sensors read them out
/// differently.
package enum SensorPlane: String, CaseIterable, Sendable {
  case red
  /// Green in the rows of red.
  case green1
  /// Green in the rows of blue.
  case green2
  case blue
  /// The green samples of a LinearRaw.
  case green
  /// The samples of a monochrome raw.
  case gray

  /// The plane's place among the colours of NoiseProfile: red 0, green 1, blue 2; 0 for monochrome.
  var colorIndex: Int {
    switch self {
    case .red, .gray: 0
    case .green1, .green2, .green: 1
    case .blue: 2
    }
  }

  /// The planes of a layout, nil for a number of samples that have no names.
  ///
  /// Those of a mosaic come in the order of the 2x2 cell's photosites, row by row from the active area's
  /// corner; others in the order of a pixel's samples.
  package static func planes(of layout: SampleLayout) -> [SensorPlane]? {
    switch layout {
    case .mosaic(let pattern):
      let colors = pattern.colors
      return colors.indices.map { place in
        switch colors[place] {
        case 0: .red
        case 2: .blue
        // The other photosite of the green's row is red or blue.
        default: colors[place ^ 1] == 0 ? .green1 : .green2
        }
      }
    case .linear(planes: 1): return [.gray]
    case .linear(planes: 3): return [.red, .green, .blue]
    case .linear, .array: return nil
    }
  }
}
