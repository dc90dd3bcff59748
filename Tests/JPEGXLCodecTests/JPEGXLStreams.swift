/// Lossless JPEG XL streams of 3x2 pixels, by imagecodecs 2026.3.6 (libjxl 0.11).
enum JPEGXLStreams {
  /// 8 bits: 0 1 2 / the largest, the middle, the largest but one.
  static let gray8 = bytes(
    "ff0a0840101437020804010038004b188b15c249835c1aa4fd5ba705"
  )
  /// 10 bits: 0 1 2 / the largest, the middle, the largest but one.
  static let gray10 = bytes(
    "ff0a084014142d02080401003c004b188b15c25983e41aa4fd2f757401"
  )
  /// 12 bits: 0 1 2 / the largest, the middle, the largest but one.
  static let gray12 = bytes(
    "ff0a084018142d02080401003c004b188b15c269836c1ba4fdbf51a75d"
  )
  /// 16 bits: 0 1 2 / the largest, the middle, the largest but one.
  static let gray16 = bytes(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c"
      + "0a000000276a786c63ff0a0840fc00458b0804010044004b188b15428a06e24583b4ff7f2feab4bb"
  )
  /// 2x2 pixels of 16 bits.
  static let rgb16 = bytes(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c"
      + "0a000000346a786c63ff0a0810fc00142d020804010074004b188b15420a70dede02c0bb40100068"
      + "31f87ff86ef50a42432b23f400"
  )
  /// Half floats: 0 1 -0.5 / 0.1 65504 6e-8.
  static let half = bytes(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c"
      + "0a0000002c6a786c63ff0a08404640d1220804010058004b188b15420ad8b80090ffa100f800f0e1"
      + "4976eefd6f"
  )
  /// 32-bit floats.
  static let float32 = bytes(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c"
      + "0a000000346a786c63ff0a08407240d1220804010078004b188b15c202f901e0040000e01f0080e6"
      + "0f00f080032082cac0c849f300"
  )
  /// A gray and an alpha channel.
  static let grayAndAlpha = bytes(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c"
      + "0a0000001f6a786c63ff0a0840fc087e008a16010810100018004b188b158201"
  )
  /// An animation.
  static let twoFrames = bytes(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c"
      + "0a000000236a786c7000000000ff0a08404113007e80a2950804010018004b188b15820100000018"
      + "6a786c70800000010804050018004b188b158201"
  )

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.map { $0 > 57 ? $0 - 87 : $0 - 48 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
