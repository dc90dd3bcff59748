extension OutputSpecification {
  /// Histograms and statistics of the raw's samples, as JSON and as rows of tables.
  package struct StatisticsSettings: Equatable, Sendable {
    /// Bins from black to white of the histograms that are kept as plain arrays beside the exact ones;
    /// nil for none.
    package var histogramBins: Int?

    package init(histogramBins: Int? = nil) {
      self.histogramBins = histogramBins
    }

    /// The numbers of bins that a recipe may ask for; at most one for each level of 16 bits.
    static let binRange = 2...65_536
  }
}
