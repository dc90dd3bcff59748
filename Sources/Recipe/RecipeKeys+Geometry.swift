package import JSON

extension RecipeKeys {
  /// `develop.orientation`.
  static let orientation = RecipeKey<DevelopAdjustments>(
    entry: RecipeKeyEntry(
      name: "orientation",
      summary: "Replaces the file's orientation (Exif 1 to 8).",
      shape: .choice((1...8).map { .init($0) }, later: []),
      defaultValue: nil,
      availability: .supported,
      excludes: []
    ),
    assign: { $0.orientation = $1.integerValue.map { Int($0) } },
    read: { $0.orientation.map { .init($0) } }
  )

  /// `develop.extra.crop`.
  static let crop: RecipeKey<DevelopAdjustments> = .mapping(
    "crop",
    [
      edge("left", \.left, "The left edge; 0 if absent."),
      edge("top", \.top, "The top edge; 0 if absent."),
      edge("right", \.right, "The right edge, 1 being the whole width; 1 if absent."),
      edge("bottom", \.bottom, "The bottom edge, 1 being the whole height; 1 if absent."),
    ],
    "A part of the picture as it is seen, in place of the file's user crop: left, top, right and "
      + "bottom edge from 0 to 1."
  )

  private static func edge(
    _ name: String,
    _ path: any WritableKeyPath<CropRectangle, Double> & Sendable,
    _ summary: String
  ) -> RecipeKey<DevelopAdjustments> {
    RecipeKey(
      entry: RecipeKeyEntry(
        name: name,
        summary: summary,
        shape: .number(0...1, unit: nil),
        // The default of an edge is no default of the crop, which would be the file's.
        defaultValue: nil,
        availability: .supported,
        excludes: []
      ),
      assign: { adjustments, value in
        var crop = adjustments.crop ?? .whole
        if let number = value.doubleValue { crop[keyPath: path] = number }
        adjustments.crop = crop
      },
      read: { $0.crop.map { .init($0[keyPath: path]) } }
    )
  }
}

extension CropRectangle {
  /// The edges by name.
  package var json: JSONValue {
    ["left": .init(left), "top": .init(top), "right": .init(right), "bottom": .init(bottom)]
  }
}
