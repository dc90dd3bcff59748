extension OutputSpecification {
  /// Histograms and statistics of the raw's samples, and of the scene that it shows, as JSON and as rows of
  /// tables.
  package struct StatisticsSettings: Equatable, Sendable {
    /// Bins from black to white of the histograms that are kept as plain arrays beside the exact ones;
    /// nil for none.
    package var histogramBins: Int?

    /// The colour space of the developed scene's histograms; nil for none.
    package var areaHistogram: LinearSettings.Space?
    /// Their bins over 0 to 1.
    package var areaHistogramCount: Int
    /// What the values of a channel sum to.
    package var areaHistogramScale: Double

    package init(
      histogramBins: Int? = nil,
      areaHistogram: LinearSettings.Space? = nil,
      areaHistogramCount: Int = 256,
      areaHistogramScale: Double = 1
    ) {
      self.histogramBins = histogramBins
      self.areaHistogram = areaHistogram
      self.areaHistogramCount = areaHistogramCount
      self.areaHistogramScale = areaHistogramScale
    }

    /// Spaces with primaries of which a luminance is the weighted sum.
    static let areaHistogramSpaces: [LinearSettings.Space] = [
      .rec2020, .displayP3, .prophoto, .acesAP0,
    ]

    /// The numbers of bins that a recipe may ask for; at most one for each level of 16 bits.
    static let binRange = 2...65_536
  }
}
