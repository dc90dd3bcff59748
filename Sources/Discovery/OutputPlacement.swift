package import FileSystem

/// Where the outputs of a submission go.
package enum OutputPlacement: Equatable, Sendable {
  /// Below an absolute folder, in the folders of the inputs.
  case folder(FilePath)
  /// The one output takes its input's place. The original is kept below an absolute folder, in its own
  /// folders, or nowhere.
  case inPlace(originals: FilePath?)

  /// Whether inputs are replaced.
  package var replaces: Bool {
    if case .inPlace = self { true } else { false }
  }

  /// The folder that is written to besides the inputs' own; it is not searched for inputs.
  package var folder: FilePath? {
    switch self {
    case .folder(let folder): folder
    case .inPlace(let originals): originals
    }
  }

  /// Where the original of a file is kept.
  func keptPath(of file: FoundFile) -> FilePath? {
    guard case .inPlace(let originals?) = self else { return nil }
    return originals.appending(file.relativePath).lexicallyNormalized
  }
}
