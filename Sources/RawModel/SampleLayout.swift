/// What the stored samples of a raw are.
package enum SampleLayout: Equatable, Sendable {
  /// One sample a pixel behind a Bayer filter (PhotometricInterpretation 32803).
  case mosaic(CFAPattern)
  /// One sample a pixel behind another filter array, which is read for storing it anew alone.
  case array(FilterArray)
  /// Demosaiced, scene-linear samples (34892, LinearRaw): one (monochrome) or three a pixel.
  case linear(planes: Int)

  package var samplesPerPixel: Int {
    switch self {
    case .mosaic, .array: 1
    case .linear(let planes): planes
    }
  }

  /// Whether it is a Bayer mosaic.
  package var isMosaic: Bool {
    if case .mosaic = self { true } else { false }
  }

  /// Whether there is one colour to a pixel (PhotometricInterpretation 32803).
  package var isFiltered: Bool {
    switch self {
    case .mosaic, .array: true
    case .linear: false
    }
  }
}
