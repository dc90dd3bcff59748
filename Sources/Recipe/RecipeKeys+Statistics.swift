internal import JSON

extension RecipeKeys {
  private typealias Settings = OutputSpecification.StatisticsSettings

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
      ),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "areaHistogram",
          summary:
            "The linear scene's histograms of red, green, blue and luminance in this colour space, as Core "
            + "Image's areaHistogram has them.",
          shape: .choice(
            ["none"] + Settings.areaHistogramSpaces.map { .string($0.rawValue) },
            later: []
          ),
          defaultValue: "none",
          availability: .supported,
          excludes: []
        ),
        assign: { $0.settings.areaHistogram = $1.stringValue.flatMap { .init(rawValue: $0) } },
        read: { .string($0.settings.areaHistogram?.rawValue ?? "none") }
      ),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "areaHistogramCount",
          summary: "Bins of areaHistogram, of equal width over 0 to 1.",
          shape: .choiceOrCount([], 1...2_048, unit: "bins"),
          defaultValue: 256,
          availability: .supported,
          excludes: []
        ),
        assign: { draft, value in
          if let count = value.integerValue { draft.settings.areaHistogramCount = Int(count) }
        },
        read: { .init($0.settings.areaHistogramCount) }
      ),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "areaHistogramScale",
          summary: "What the values of a channel of areaHistogram sum to.",
          shape: .number(0.000001...1_000_000_000, unit: nil),
          defaultValue: 1,
          availability: .supported,
          excludes: []
        ),
        assign: { draft, value in
          draft.settings.areaHistogramScale =
            value.doubleValue ?? draft.settings.areaHistogramScale
        },
        read: { .init($0.settings.areaHistogramScale) }
      ),
    ] + naming().filter { ["suffix", "id", "template"].contains($0.entry.name) }
}

extension OutputSpecification.StatisticsSettings {
  /// What does not go together, by the key to change.
  var conflicts: [(key: String, kind: RecipeProblem.Kind)] {
    guard areaHistogram == nil else { return [] }
    let defaults = Self()
    func conflict(_ key: String, _ found: String) -> (String, RecipeProblem.Kind) {
      (
        key,
        .conflict(
          found: found,
          with: "no areaHistogram",
          valid: "valid: areaHistogram with a colour space"
        )
      )
    }
    var conflicts: [(key: String, kind: RecipeProblem.Kind)] = []
    if areaHistogramCount != defaults.areaHistogramCount {
      conflicts.append(conflict("areaHistogramCount", "\(areaHistogramCount) bins"))
    }
    if areaHistogramScale != defaults.areaHistogramScale {
      conflicts.append(conflict("areaHistogramScale", "a scale"))
    }
    return conflicts
  }
}
