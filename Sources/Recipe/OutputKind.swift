internal import JSON

/// One kind of output: the key that stands before its settings.
struct OutputKind: Sendable {
  let name: String
  let summary: String
  /// What the settings can be; empty for a kind that no encoder does yet.
  let entries: [RecipeKeyEntry]
  /// Reads the settings; nil for a kind that no encoder does yet.
  let decode: (@Sendable (RecipeNode, String, inout RecipeProblems) -> DecodedOutput)?

  /// An output whose default id is not known yet.
  struct DecodedOutput {
    var id: String?
    var suffix: String
    var format: OutputSpecification.Format
  }

  static let all: [OutputKind] = [
    supported(
      "heic",
      "HEIC (HEVC, 8 bit), with an nclx and an ICC profile.",
      RecipeKeys.heic,
      OutputSpecification.HEICSettings()
    ) { .heic($0) },
    supported(
      "tiff",
      "TIFF with integer samples and the sRGB transfer curve.",
      RecipeKeys.tiff,
      OutputSpecification.TIFFSettings()
    ) { .tiff($0) },
    later("jpeg", "JPEG."),
    supported(
      "dng",
      "DNG: the samples coded anew, everything else kept.",
      RecipeKeys.dng,
      OutputSpecification.DNGSettings(),
      check: \.conflicts
    ) { .dng($0) },
    supported(
      "linear",
      "Linear pixels, with a record of what the numbers mean.",
      RecipeKeys.linear,
      OutputSpecification.LinearSettings(),
      check: \.conflicts
    ) { .linear($0) },
    supported(
      "statistics",
      "JSON with histograms and statistics of the raw's samples; through the queue also rows of tables.",
      RecipeKeys.statistics,
      OutputSpecification.StatisticsSettings(),
      check: \.conflicts
    ) { .statistics($0) },
    later("png", "PNG."),
    later("avif", "AVIF."),
    later("jxl", "JPEG XL."),
    later("exr", "OpenEXR."),
  ]

  private static func supported<Settings>(
    _ name: String,
    _ summary: String,
    _ keys: [RecipeKey<OutputDraft<Settings>>],
    _ defaults: Settings,
    check: @escaping @Sendable (Settings) -> [(key: String, kind: RecipeProblem.Kind)] = { _ in []
    },
    _ format: @escaping @Sendable (Settings) -> OutputSpecification.Format
  ) -> OutputKind {
    OutputKind(name: name, summary: summary, entries: keys.map(\.entry)) { node, path, problems in
      var draft = OutputDraft(settings: defaults)
      RecipeDecoder.decode(node, keys, path: path, into: &draft, &problems)
      for (key, kind) in check(draft.settings) {
        problems.add("\(path).\(key)", node.position(of: key), kind)
      }
      return DecodedOutput(id: draft.id, suffix: draft.suffix, format: format(draft.settings))
    }
  }

  private static func later(_ name: String, _ summary: String) -> OutputKind {
    OutputKind(name: name, summary: summary, entries: [], decode: nil)
  }
}
