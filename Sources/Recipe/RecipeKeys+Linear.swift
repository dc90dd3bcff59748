internal import JSON

extension RecipeKeys {
  private typealias Settings = OutputSpecification.LinearSettings

  /// `outputs[].linear`.
  static let linear: [RecipeKey<OutputDraft<OutputSpecification.LinearSettings>>] =
    [
      choice(
        "level",
        Settings.Level.allCases,
        default: .scene,
        { $0.level = $1 },
        { $0.level },
        "How far the numbers are from the sensor's: the scene's colours, or the samples balanced, with black "
          + "and white as 0 and 1, after the linearisation table, or as stored."
      ),
      choice(
        "colorSpace",
        Settings.Space.allCases,
        default: nil,
        { $0.askedSpace = $1 },
        { $0.askedSpace },
        "Primaries and white of a scene (rec2020 if absent); all other levels are the camera's."
      ),
      choice(
        "format",
        Settings.Format.allCases,
        default: .tiff,
        { $0.format = $1 },
        { $0.format },
        "The file: TIFF, OpenEXR, NumPy's array, or a demosaiced DNG of normalised samples."
      ),
      choice(
        "sampleFormat",
        Settings.SampleFormat.allCases,
        default: .float32,
        { $0.sampleFormat = $1 },
        { $0.sampleFormat },
        "Samples of 32 or 16 bits floating point, signed and unclamped, or 16 bits with a scale."
      ),
      choice(
        "mosaic",
        Settings.Mosaic.allCases,
        default: nil,
        { $0.askedMosaic = $1 },
        { $0.askedMosaic },
        "A mosaic as it is (cfa), a plane for each photosite of the 2x2 cell (planes), or demosaiced."
      ),
      RecipeKey(
        entry: RecipeKeyEntry(
          name: "maximum",
          summary: "The value of the code 65535 of uint16 samples.",
          shape: .number(0.001...65_535, unit: nil),
          defaultValue: nil,
          availability: .supported,
          excludes: []
        ),
        assign: { $0.settings.maximum = $1.doubleValue },
        read: { $0.settings.maximum.map { .init($0) } }
      ),
    ] + naming().filter { ["suffix", "id", "template"].contains($0.entry.name) }

  private static func choice<Value: RawRepresentable<String> & Sendable>(
    _ name: String,
    _ choices: [Value],
    default: Value?,
    _ assign: @escaping @Sendable (inout OutputSpecification.LinearSettings, Value) -> Void,
    _ read: @escaping @Sendable (OutputSpecification.LinearSettings) -> Value?,
    _ summary: String
  ) -> RecipeKey<OutputDraft<OutputSpecification.LinearSettings>> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .choice(choices.map { .string($0.rawValue) }, later: []),
        defaultValue: `default`.map { .string($0.rawValue) },
        availability: .supported,
        excludes: []
      ),
      assign: { draft, value in
        if let choice = value.stringValue.flatMap(Value.init(rawValue:)) {
          assign(&draft.settings, choice)
        }
      },
      read: { read($0.settings).map { .string($0.rawValue) } }
    )
  }
}

extension OutputSpecification.LinearSettings {
  /// What does not go together, by the key to change.
  var conflicts: [(key: String, kind: RecipeProblem.Kind)] {
    var conflicts: [(key: String, kind: RecipeProblem.Kind)] = []
    func add(_ key: String, _ found: String, with other: String, valid: String) {
      conflicts.append((key, .conflict(found: found, with: other, valid: "valid: \(valid)")))
    }
    if level == .scene, colorSpace == .camera {
      add(
        "colorSpace",
        "camera",
        with: "level scene, whose colours are those of a colour space",
        valid: "another space, or level whiteBalanced"
      )
    }
    if level != .scene, colorSpace != .camera {
      add(
        "colorSpace",
        colorSpace.rawValue,
        with: "level \(level.rawValue), whose colours are the camera's",
        valid: "camera, or level scene"
      )
    }
    if level == .scene, mosaic != .demosaiced {
      add(
        "mosaic",
        mosaic.rawValue,
        with: "level scene, whose pixels have three colours",
        valid: "demosaiced, or another level"
      )
    }
    if isCodes, mosaic == .demosaiced {
      add(
        "mosaic",
        "demosaiced",
        with: "level \(level.rawValue), whose codes have a black of their own",
        valid: "cfa or planes, or level normalized"
      )
    }
    if format == .exr, sampleFormat == .uint16 {
      add(
        "sampleFormat",
        "uint16",
        with: "format exr, which has no such samples",
        valid: "float32 or float16"
      )
    }
    if format == .dng {
      if level != .normalized {
        add(
          "level",
          level.rawValue,
          with: "format dng, whose samples are linear reference values",
          valid: "normalized"
        )
      }
      if mosaic != .demosaiced {
        add(
          "mosaic",
          mosaic.rawValue,
          with: "format dng, which is demosaiced here",
          valid: "demosaiced, or an output dng with bitDepth float32, which keeps the mosaic"
        )
      }
      if sampleFormat == .uint16 {
        add(
          "sampleFormat",
          "uint16",
          with: "format dng, which is floating point here",
          valid: "float32 or float16, or an output dng with linear true"
        )
      }
    }
    if isCodes, sampleFormat == .float16 {
      add(
        "sampleFormat",
        "float16",
        with: "level \(level.rawValue): 16-bit codes above 2048 have no exact value in it",
        valid: "float32 or uint16"
      )
    }
    if maximum != nil, sampleFormat != .uint16 || isCodes {
      add(
        "maximum",
        "a scale",
        with: isCodes ? "level \(level.rawValue), whose codes are kept" : "samples that need none",
        valid: "sampleFormat uint16 of another level"
      )
    }
    return conflicts
  }
}
