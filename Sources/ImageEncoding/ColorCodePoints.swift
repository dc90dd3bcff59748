/// Coding-independent code points of a picture's colour: ITU-T H.273, as HEIF's `nclx` holds them.
package struct ColorCodePoints: Equatable, Sendable {
  /// ColourPrimaries (H.273 table 2).
  package var primaries: UInt16
  /// TransferCharacteristics (H.273 table 3).
  package var transfer: UInt16
  /// MatrixCoefficients (H.273 table 4).
  package var matrix: UInt16
  package var isFullRange: Bool
}

extension EncodedColorSpace {
  /// The code points of YCbCr pictures in this space.
  ///
  /// The matrix is BT.601's (6) also for Display P3: readers that ignore `nclx` assume it, and those
  /// that see 12 (derived from the primaries) were found to decode it wrongly.
  package var codePoints: ColorCodePoints {
    switch self {
    case .displayP3:
      ColorCodePoints(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    }
  }
}
