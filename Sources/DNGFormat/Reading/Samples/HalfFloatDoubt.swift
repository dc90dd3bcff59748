internal import Raster
internal import RawModel

/// Half floats of JPEG XL streams that may be others than were coded.
///
/// libjxl (0.7 to 0.11 at least) gives a subnormal half float from 2^-15 up without its highest bit: 2^-15
/// comes as 0, the next as two steps of 2^-24, and so on. Which ones came so can't be told from what comes: the
/// same numbers are coded by smaller ones too.
enum HalfFloatDoubt {
  static let warning =
    "samples below 2^-14 in JPEG XL half floats may be 2^-15 too small: the decoder drops their highest bit"

  /// Whether any sample is a subnormal half float; zeros alone, which black is full of, don't count.
  static func exists(in samples: borrowing StoredSamples) -> Bool {
    switch samples {
    case .uint16: return false
    case .uint32: return false
    case .float32(let plane):
      for y in 0..<plane.height {
        let hasSubnormal = plane.withRow(y) { row in
          row.indices.contains { row[$0] != 0 && abs(row[$0]) < 0x1p-14 }
        }
        if hasSubnormal { return true }
      }
      return false
    }
  }
}
