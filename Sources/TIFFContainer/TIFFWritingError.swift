package import Diagnostics

/// What can go wrong while a TIFF structure is laid out.
package enum TIFFWritingError: Error, Equatable, Sendable {
  /// An offset or a length does not fit in the 32 bits of a classic TIFF file.
  case fileTooLarge(byteCount: Int, limit: Int)
}

extension TIFFWritingError: Diagnosable {
  package var code: ErrorCode { "fileTooLarge" }

  package var message: String {
    switch self {
    case .fileTooLarge(let byteCount, let limit):
      "a TIFF file of \(byteCount) bytes was refused: its 32-bit offsets end at \(limit)"
    }
  }

  package var disposition: Disposition { .permanent }
}
