/// What the stored samples of a raw are.
package enum SampleLayout: Equatable, Sendable {
  /// One sample a pixel behind a Bayer filter (PhotometricInterpretation 32803).
  case mosaic(CFAPattern)
  /// Demosaiced, scene-linear samples (34892, LinearRaw): one (monochrome) or three a pixel.
  case linear(planes: Int)

  package var samplesPerPixel: Int {
    switch self {
    case .mosaic: 1
    case .linear(let planes): planes
    }
  }
}
