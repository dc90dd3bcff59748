package import FileSystem
package import Testing

/// The corpus of camera files that the project did not make.
///
/// `RAWMILL_CORPUS` names its folder; by default it is `../shared/corpus` beside the package. Tests that need it
/// are skipped where it is missing: `@Test(.enabled(if: Corpus.isAvailable, Corpus.missingComment))`.
package enum Corpus {
  /// The folder, there or not.
  package static let root: FilePath =
    SystemInformation.environment("RAWMILL_CORPUS").map { FilePath($0) }
    ?? PackageFolder.root.appending("../shared/corpus").lexicallyNormalized

  /// Whether the corpus is there.
  package static var isAvailable: Bool { (try? path("README.md").status()) != nil }

  /// Why a test was skipped.
  package static let missingComment: Comment = "corpus not found: set RAWMILL_CORPUS"

  /// A file of the corpus (`photos/kissx4_lossless.dng`).
  package static func path(_ relative: String) -> FilePath { root.appending(FilePath(relative)) }

  /// The bytes of a file of the corpus.
  package static func bytes(_ relative: String) throws -> [UInt8] {
    try path(relative).readAll()
  }

  /// The rows of a tab-separated file of the corpus, each by its column names.
  package static func table(_ relative: String) throws -> [[String: String]] {
    let text = String(decoding: try bytes(relative), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { row in
      Dictionary(zip(header, row), uniquingKeysWith: { first, _ in first })
    }
  }

  /// The names in a folder of the corpus, sorted.
  package static func names(_ relative: String) throws -> [String] {
    try path(relative).directoryEntries().map { $0.name.displayText }.sorted()
  }
}
