/// One file that an output of a recipe is written to.
///
/// Most outputs are one file; some have others beside it.
package struct OutputFile: Equatable, Sendable {
  /// Names the file in results: the output's id, with `.` and the file's part after it for those that
  /// stand beside another.
  package let id: String
  /// What follows the input's name in the file's, from the output's suffix on.
  package let nameEnding: String
  /// The output's place in its recipe.
  package let outputIndex: Int
  /// Whether it is the output itself, not one beside it.
  package let isPrincipal: Bool
}

extension OutputSpecification {
  /// The endings of the names of its files, the output itself first.
  package var nameEndings: [String] {
    switch format {
    case .heic, .tiff, .dng, .statistics: [nameEnding]
    case .linear: [nameEnding, nameEnding + ".json"]
    }
  }
}

extension Recipe {
  /// Every file that a render by this recipe writes, in the order of the outputs.
  package var files: [OutputFile] {
    outputs.enumerated().flatMap { index, output in
      output.nameEndings.enumerated().map { place, ending in
        OutputFile(
          id: place == 0 ? output.id : output.id + ending.suffix(from: ending.lastDot),
          nameEnding: ending,
          outputIndex: index,
          isPrincipal: place == 0
        )
      }
    }
  }
}

extension String {
  /// Where the last dot stands; the end where there is none.
  fileprivate var lastDot: Index { lastIndex(of: ".") ?? endIndex }
}
