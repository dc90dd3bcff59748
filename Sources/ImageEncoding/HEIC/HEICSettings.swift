/// How a HEIC file is compressed.
///
/// Every field has a part in the bytes, except `threadCount`.
package struct HEICSettings: Equatable, Sendable {
  /// x265's presets that are worth their time; see `RateFactor` for the measurement.
  package enum Preset: String, CaseIterable, Sendable {
    case ultrafast
    case superfast
    case veryfast
    case medium
  }

  package var colorSpace: EncodedColorSpace
  package var rateFactor: RateFactor
  package var preset: Preset
  /// Threads of x265's pool, at least 1; any number gives the same bytes.
  package var threadCount: Int
  /// The longer side of the thumbnail in pixels; nil writes none.
  ///
  /// Pictures that are not larger get none either.
  package var thumbnailLongEdge: Int?

  /// Settings with the rate factor of a quality from 0 to 1.
  package init(
    quality: Double = 0.9,
    colorSpace: EncodedColorSpace = .displayP3,
    preset: Preset = .ultrafast,
    threadCount: Int = 1,
    thumbnailLongEdge: Int? = 320
  ) {
    self.colorSpace = colorSpace
    self.rateFactor = RateFactor(quality: quality)
    self.preset = preset
    self.threadCount = threadCount
    self.thumbnailLongEdge = thumbnailLongEdge
  }
}
