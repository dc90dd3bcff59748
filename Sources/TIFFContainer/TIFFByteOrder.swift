/// The byte order of a TIFF structure, by its first two bytes.
package enum TIFFByteOrder: Sendable {
  /// `II`
  case littleEndian
  /// `MM`
  case bigEndian
}
