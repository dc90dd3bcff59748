/// The type of the values of an IFD entry (TIFF 6.0 section 2, TIFF/EP, BigTIFF).
package enum TIFFFieldType: UInt16, CaseIterable, Sendable {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case sbyte = 6
  case undefined = 7
  case sshort = 8
  case slong = 9
  case srational = 10
  case float = 11
  case double = 12
  /// An offset of an IFD, otherwise as `long` (TIFF Technical Note 1).
  case ifd = 13
  case long8 = 16
  case slong8 = 17
  case ifd8 = 18

  /// The bytes of one value.
  package var byteCount: Int {
    switch self {
    case .byte, .ascii, .sbyte, .undefined: 1
    case .short, .sshort: 2
    case .long, .slong, .float, .ifd: 4
    case .rational, .srational, .double, .long8, .slong8, .ifd8: 8
    }
  }

  /// The bytes that change places with the byte order: half a value for the rationals.
  package var elementByteCount: Int {
    switch self {
    case .rational, .srational: 4
    default: byteCount
    }
  }
}
