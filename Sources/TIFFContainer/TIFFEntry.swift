/// One entry of an IFD as it stands in the file; its values are read through `TIFFDirectory`.
package struct TIFFEntry: Equatable, Sendable {
  package let tag: TIFFTag
  /// The type as stored; a reader skips types that it doesn't know (TIFF 6.0 section 2).
  package let storedType: UInt16
  /// Number of values, as stored.
  package let count: UInt64
  /// Where the values start in the file: within the entry itself if they fit, else where it points.
  package let valueOffset: UInt64
  /// Whether the values stand in the entry itself.
  package let isInline: Bool

  /// The type, where it is one of TIFF 6.0 or BigTIFF.
  package var type: TIFFFieldType? { TIFFFieldType(rawValue: storedType) }
}
