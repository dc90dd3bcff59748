internal import JSON

extension RecipeKeys {
  /// `outputs[].heic`.
  static let heic: [RecipeKey<OutputDraft<OutputSpecification.HEICSettings>>] =
    [
      colorSpace(\.settings.colorSpace),
      bitDepth([8], later: [10, 12], default: 8, \.settings.bitDepth),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "quality",
          summary: "Quality of the lossy codec; 1 is the best.",
          shape: .number(0...1, unit: nil),
          defaultValue: JSONValue(OutputSpecification.HEICSettings().quality),
          availability: .supported,
          excludes: []
        ),
        assign: { $0.settings.quality = $1.doubleValue ?? $0.settings.quality },
        read: { .init($0.settings.quality) }
      ),
    ] + naming()

  /// `outputs[].tiff`.
  static let tiff: [RecipeKey<OutputDraft<OutputSpecification.TIFFSettings>>] =
    [
      colorSpace(\.settings.colorSpace),
      bitDepth([8, 16], later: [], default: 16, \.settings.bitDepth),
    ] + naming()

  /// What every kind of output has.
  static func naming<Settings>() -> [RecipeKey<OutputDraft<Settings>>] {
    [
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "suffix",
          summary: "Appended to the file's name before its extension.",
          shape: .text(.suffix),
          defaultValue: "",
          availability: .supported,
          excludes: []
        ),
        assign: { $0.suffix = $1.stringValue ?? "" },
        read: { .string($0.suffix) }
      ),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "id",
          summary: "Names the output in results; by default its kind and number.",
          shape: .text(.identifier),
          defaultValue: nil,
          availability: .supported,
          excludes: []
        ),
        assign: { $0.id = $1.stringValue },
        read: { $0.id.map { .string($0) } }
      ),
      later("longEdge", "pixels", "Length of the longer edge; the picture's own if absent."),
      later("shortEdge", "pixels", "Length of the shorter edge."),
      later("width", "pixels", "Width to fit into."),
      later("height", "pixels", "Height to fit into."),
      later("template", "text", "How the file is named."),
      later("chroma", "4:2:0, 4:2:2 or 4:4:4", "Chroma subsampling."),
      later("lossless", "true or false", "Lossless coding."),
      later("sampleFormat", "the name of a format", "Integer or floating-point samples."),
      later("compression", "the name of a scheme", "How the pixels are compressed."),
    ]
  }

  private static func colorSpace<Root>(
    _ path: any WritableKeyPath<Root, OutputColorSpace> & Sendable
  ) -> RecipeKey<Root> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: "colorSpace",
        summary: "Colour space of the pixels.",
        shape: .choice(
          OutputColorSpace.allCases.map { .string($0.rawValue) },
          later: ["sRGB", "adobeRGB", "rec2020", "proPhotoRGB"]
        ),
        defaultValue: .string(OutputColorSpace.displayP3.rawValue),
        availability: .supported,
        excludes: []
      ),
      assign: { root, value in
        if let space = value.stringValue.flatMap({ OutputColorSpace(rawValue: $0) }) {
          root[keyPath: path] = space
        }
      },
      read: { .string($0[keyPath: path].rawValue) }
    )
  }

  private static func bitDepth<Root>(
    _ depths: [JSONValue],
    later: [JSONValue],
    default: JSONValue,
    _ path: any WritableKeyPath<Root, Int> & Sendable
  ) -> RecipeKey<Root> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: "bitDepth",
        summary: "Bits of one sample.",
        shape: .choice(depths, later: later),
        defaultValue: `default`,
        availability: .supported,
        excludes: []
      ),
      assign: { root, value in
        if let depth = value.integerValue.flatMap({ Int(exactly: $0) }) {
          root[keyPath: path] = depth
        }
      },
      read: { .init($0[keyPath: path]) }
    )
  }

  private static func later<Root>(
    _ name: String,
    _ expectation: String,
    _ summary: String
  ) -> RecipeKey<Root> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .later(expectation),
        defaultValue: nil,
        availability: .later(off: nil),
        excludes: []
      ),
      assign: { _, _ in },
      read: { _ in nil }
    )
  }
}
