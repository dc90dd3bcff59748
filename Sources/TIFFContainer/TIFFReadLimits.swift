/// How much of a TIFF structure is read; a real camera file needs a hundredth of each.
package struct TIFFReadLimits: Equatable, Sendable {
  /// IFDs in all, chained and nested ones together.
  package var directories = 256
  /// Entries of one IFD.
  package var entries = 4096
  /// SubIFDs within SubIFDs.
  package var depth = 8

  package init() {}
}
