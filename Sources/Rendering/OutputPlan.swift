internal import Develop
internal import Recipe

/// In which order outputs are encoded, and from which picture.
///
/// Outputs of 16 bits come first, because their picture is the larger one and is gone then; HEIC comes
/// last, because its encoder needs the most memory.
struct OutputPlan {
  /// One output in the order of encoding.
  struct Step {
    /// The output's place in the recipe.
    var index: Int
    var output: OutputSpecification
    /// Whether no later step needs the same picture.
    var isLast: Bool
  }

  let steps: [Step]

  init(_ recipe: Recipe) {
    let ordered = recipe.outputs.enumerated().sorted { left, right in
      (Self.rank(left.element), left.offset) < (Self.rank(right.element), right.offset)
    }
    steps = ordered.enumerated().map { place, output in
      let depth = output.element.pictureDepth
      let isLast = !ordered.dropFirst(place + 1).contains { $0.element.pictureDepth == depth }
      return Step(index: output.offset, output: output.element, isLast: isLast)
    }
  }

  /// The planes that the development has to make.
  var depths: Set<PictureDepth> { Set(steps.map(\.output.pictureDepth)) }

  private static func rank(_ output: OutputSpecification) -> Int {
    switch output.format {
    case .tiff(let settings): settings.bitDepth > 8 ? 0 : 1
    case .heic: 2
    }
  }
}

extension OutputSpecification {
  /// The picture that the output is made from.
  var pictureDepth: PictureDepth {
    switch format {
    case .heic: .eight
    case .tiff(let settings): settings.bitDepth > 8 ? .sixteen : .eight
    }
  }
}
