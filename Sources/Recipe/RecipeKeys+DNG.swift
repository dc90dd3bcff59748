internal import JSON

extension RecipeKeys {
  private typealias Settings = OutputSpecification.DNGSettings

  /// `outputs[].dng`.
  static let dng: [RecipeKey<OutputDraft<OutputSpecification.DNGSettings>>] =
    [
      choice(
        "bitDepth",
        [(.source, "source")] + (8...16).map { (.integer($0), JSONValue($0)) }
          + [(.float16, "float16"), (.float32, "float32")],
        \.settings.bitDepth,
        "Bits of one sample; fewer than the source's are spread by `curve`, 8 are dithered."
      ),
      choice(
        "curve",
        Settings.Curve.allCases.map { ($0, .string($0.rawValue)) },
        \.settings.curve,
        "Which codes fewer bits keep: squareRoot in proportion to the noise (what source comes to), or linear."
      ),
      choice(
        "compression",
        Settings.Compression.allCases.map { ($0, .string($0.rawValue)) },
        \.settings.compression,
        "How samples are compressed; every DNG reader takes losslessJPEG and none, few jpegXL."
      ),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "quality",
          summary: "1 is lossless; less is lossy, with jpegXL and lossyJPEG.",
          shape: .number(0...1, unit: nil),
          defaultValue: 1,
          availability: .supported,
          excludes: []
        ),
        assign: { $0.settings.quality = $1.doubleValue ?? $0.settings.quality },
        read: { .init($0.settings.quality) }
      ),
      flag("linear", \.settings.linear, "Stores a mosaic demosaiced, as LinearRaw."),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "preview",
          summary:
            "Previews: the source's own, none, or rendered by `develop` with a thumbnail: full or by the "
            + "longer edge.",
          shape: .choiceOrCount(["source", "none", "full"], 64...65_500, unit: "pixels"),
          defaultValue: "source",
          availability: .supported,
          excludes: []
        ),
        assign: { draft, value in
          switch value.stringValue {
          case "source": draft.settings.preview = .source
          case "none": draft.settings.preview = .none
          case "full": draft.settings.preview = .full
          default:
            if let edge = value.integerValue.flatMap({ Int(exactly: $0) }) {
              draft.settings.preview = .longEdge(edge)
            }
          }
        },
        read: { draft in
          switch draft.settings.preview {
          case .source: "source"
          case .none: "none"
          case .full: "full"
          case .longEdge(let edge): .init(edge)
          }
        }
      ),
      flag(
        "keepSmaller",
        \.settings.keepSmaller,
        "Where coding anew would take more bytes, or can't hold the samples, the output is a copy of the source."
      ),
    ] + naming().filter { ["suffix", "id", "template"].contains($0.entry.name) }

  private static func choice<Value: Equatable & Sendable, Root>(
    _ name: String,
    _ choices: [(Value, JSONValue)],
    later: [JSONValue] = [],
    _ path: any WritableKeyPath<Root, Value> & Sendable,
    _ summary: String
  ) -> RecipeKey<Root> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .choice(choices.map(\.1).filter { !later.contains($0) }, later: later),
        defaultValue: choices.first?.1,
        availability: .supported,
        excludes: []
      ),
      assign: { root, value in
        if let choice = choices.first(where: { $0.1 == value }) { root[keyPath: path] = choice.0 }
      },
      read: { root in choices.first { $0.0 == root[keyPath: path] }?.1 }
    )
  }

  private static func flag<Root>(
    _ name: String,
    _ path: any WritableKeyPath<Root, Bool> & Sendable,
    _ summary: String
  ) -> RecipeKey<Root> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .boolean,
        defaultValue: false,
        availability: .supported,
        excludes: []
      ),
      assign: { $0[keyPath: path] = $1.boolValue ?? false },
      read: { .bool($0[keyPath: path]) }
    )
  }
}

extension OutputSpecification.DNGSettings {
  /// What does not go together, by the key to change.
  var conflicts: [(key: String, kind: RecipeProblem.Kind)] {
    var conflicts: [(key: String, kind: RecipeProblem.Kind)] = []
    func add(_ key: String, _ found: String, with other: String, valid: String) {
      conflicts.append((key, .conflict(found: found, with: other, valid: valid)))
    }
    let isFloat = bitDepth == .float16 || bitDepth == .float32
    if isFloat, compression != .deflate, compression != .none {
      add(
        "compression",
        compression.rawValue,
        with: "floating-point samples",
        valid: "valid: deflate or none"
      )
    }
    if case .integer = bitDepth, compression == .deflate {
      add(
        "compression",
        "deflate",
        with: "integers of 8 to 16 bits, for which DNG doesn't have it",
        valid: "valid: losslessJPEG, none or jpegXL"
      )
    }
    let canBeLossy = compression == .jpegXL || compression == .lossyJPEG
    if quality < 1, !canBeLossy {
      add(
        "quality",
        quality.description,
        with: "compression \(compression.rawValue), which is lossless",
        valid: "valid: 1, or compression jpegXL or lossyJPEG"
      )
    }
    if compression == .lossyJPEG {
      if quality == 1 {
        add("quality", "1", with: "lossyJPEG, which is lossy", valid: "valid: less than 1")
      }
      if bitDepth != .source, bitDepth != .integer(8) {
        add(
          "bitDepth",
          "this depth",
          with: "lossyJPEG, which has 8 bits",
          valid: "valid: 8 or source"
        )
      }
    }
    if compression == .jpegXL, quality < 1, bitDepth != .source, bitDepth != .integer(16) {
      add(
        "bitDepth",
        "this depth",
        with: "lossy jpegXL, which has codes of 16 bits",
        valid: "valid: 16 or source"
      )
    }
    if linear, keepSmaller {
      add(
        "keepSmaller",
        "true",
        with: "linear, whose samples a copy of a mosaic doesn't have",
        valid: "valid: one of both"
      )
    }
    return conflicts
  }
}
