/// A tag that two raws do not share with the same value.
package struct TagDifference: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Both have it, with different values.
    case changed
    /// The second file lacks it.
    case missing
    /// The first file lacks it.
    case added
  }

  /// `IFD0`, `raw`, `Exif`, `GPS`; `images` for whole images of a kind.
  package var directory: String
  /// The specification's name, or `tag 51234`.
  package var tag: String
  package var kind: Kind
  /// Whether a writer that codes the samples anew states the tag anew: it says how the samples are
  /// stored or is computed from them.
  package var isRecomputed: Bool
  /// The values in short; nil where the file does not have the tag.
  package var first: String?
  package var second: String?

  package init(
    directory: String,
    tag: String,
    kind: Kind,
    isRecomputed: Bool,
    first: String?,
    second: String?
  ) {
    self.directory = directory
    self.tag = tag
    self.kind = kind
    self.isRecomputed = isRecomputed
    self.first = first
    self.second = second
  }
}
