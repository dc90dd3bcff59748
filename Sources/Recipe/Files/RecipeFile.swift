internal import Digest

/// A file that a recipe reads besides the raw: a camera profile or a look.
///
/// A person writes its path. Before a recipe leaves the command line the file's bytes take the path's
/// place, so that workers on other machines have them, the recipe's digest covers them, and a later change of
/// the file changes no job that was submitted.
package struct RecipeFile: Equatable, Sendable {
  /// What the file is for, which bounds its size.
  package enum Role: Sendable {
    case profile
    case lut

    /// Bytes at most.
    ///
    /// Both files of a recipe together, as base64, stay below what a message between a worker and
    /// its child may have (16 MiB).
    package var byteLimit: Int {
      switch self {
      case .profile: 2 << 20
      case .lut: 8 << 20
      }
    }
  }

  /// The path as the recipe has it, relative to the recipe's folder; once the file is read, its last part.
  package var name: String
  /// Nil until the file is read.
  package var contents: [UInt8]?

  package init(name: String, contents: [UInt8]? = nil) {
    self.name = name
    self.contents = contents
  }

  /// SHA-256 of the contents in hexadecimal; nil until the file is read.
  package var sha256: String? { contents.map { SHA256.digest(of: $0).hex } }
}
