internal import JSON

extension RecipeKeys {
  /// `outputs[].statistics`.
  static let statistics: [RecipeKey<OutputDraft<OutputSpecification.StatisticsSettings>>] =
    [
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "histogramBins",
          summary:
            "Bins from black to white of histograms that are kept as plain arrays beside the exact ones.",
          shape: .choiceOrCount(
            ["none"],
            OutputSpecification.StatisticsSettings.binRange,
            unit: "bins"
          ),
          defaultValue: "none",
          availability: .supported,
          excludes: []
        ),
        assign: { $0.settings.histogramBins = $1.integerValue.flatMap { Int(exactly: $0) } },
        read: { $0.settings.histogramBins.map { .init($0) } ?? "none" }
      )
    ] + naming().filter { ["suffix", "id", "template"].contains($0.entry.name) }
}
