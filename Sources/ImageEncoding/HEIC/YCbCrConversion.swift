// RGB to full-range YCbCr 4:2:0 with BT.601's matrix (H.273 MatrixCoefficients 6), in integers:
// the same on every processor.
//
//   Y  = 0.299 R + 0.587 G + 0.114 B                    (ITU-R BT.601-7, 2.5.1)
//   Cb = (B - Y) / 1.772 + 128,  Cr = (R - Y) / 1.402 + 128
//
// Weights are rounded to 1/65536 so that each row sums to exactly 1 (luma) or 0 (chroma): greys stay
// greys, and no result is further than 0.002 codes from the exact one before it is rounded. Chroma is
// the mean of its 2x2 pixels, taken before rounding.

/// Converts two rows of interleaved RGB to two rows of luma and one of each colour difference.
///
/// The last column of an odd width stands for its missing neighbour. `top` and `bottom` may be the
/// same row (the last of an odd height).
///
/// `top` and `bottom` have `3 * width` samples each, `lumaTop` and `lumaBottom` `width` (they are the
/// same row where `top` and `bottom` are), `blue` and `red` `(width + 1) / 2`.
@unsafe
package func convertRowPair(
  width: Int,
  top: UnsafePointer<UInt8>,
  bottom: UnsafePointer<UInt8>,
  lumaTop: UnsafeMutablePointer<UInt8>,
  lumaBottom: UnsafeMutablePointer<UInt8>,
  blue: UnsafeMutablePointer<UInt8>,
  red: UnsafeMutablePointer<UInt8>
) {
  unsafe convertLuma(width: width, row: top, luma: lumaTop)
  if unsafe top != bottom {
    unsafe convertLuma(width: width, row: bottom, luma: lumaBottom)
  }
  for x in 0..<width / 2 {
    let at = 6 &* x
    let redSum = unsafe sum4(top[at], top[at &+ 3], bottom[at], bottom[at &+ 3])
    let greenSum = unsafe sum4(top[at &+ 1], top[at &+ 4], bottom[at &+ 1], bottom[at &+ 4])
    let blueSum = unsafe sum4(top[at &+ 2], top[at &+ 5], bottom[at &+ 2], bottom[at &+ 5])
    unsafe blue[x] = blueDifference(redSum, greenSum, blueSum)
    unsafe red[x] = redDifference(redSum, greenSum, blueSum)
  }
  if width % 2 == 1 {
    let at = 3 * (width - 1)
    let redSum = unsafe sum4(top[at], top[at], bottom[at], bottom[at])
    let greenSum = unsafe sum4(top[at + 1], top[at + 1], bottom[at + 1], bottom[at + 1])
    let blueSum = unsafe sum4(top[at + 2], top[at + 2], bottom[at + 2], bottom[at + 2])
    unsafe blue[width / 2] = blueDifference(redSum, greenSum, blueSum)
    unsafe red[width / 2] = redDifference(redSum, greenSum, blueSum)
  }
}

@unsafe
private func convertLuma(
  width: Int,
  row: UnsafePointer<UInt8>,
  luma: UnsafeMutablePointer<UInt8>
) {
  for x in 0..<width {
    let red = unsafe UInt32(row[3 &* x]) &* 19595
    let green = unsafe UInt32(row[3 &* x &+ 1]) &* 38470
    let blue = unsafe UInt32(row[3 &* x &+ 2]) &* 7471
    // At most (65536 * 255 + 32768) / 65536, which is 255.
    unsafe luma[x] = UInt8(truncatingIfNeeded: (red &+ green &+ blue &+ 32768) &>> 16)
  }
}

@inline(__always)
private func sum4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> Int32 {
  (Int32(a) &+ Int32(b)) &+ (Int32(c) &+ Int32(d))
}

// Sums of four: 18 fraction bits. Pure blue and pure red reach 255.5, which rounds to 256: clipped.

@inline(__always)
private func blueDifference(_ red: Int32, _ green: Int32, _ blue: Int32) -> UInt8 {
  let sum = 32768 &* blue &- 11059 &* red &- 21709 &* green
  return UInt8(truncatingIfNeeded: min(255, (sum &+ chromaOffset) &>> 18))
}

@inline(__always)
private func redDifference(_ red: Int32, _ green: Int32, _ blue: Int32) -> UInt8 {
  let sum = 32768 &* red &- 27439 &* green &- 5329 &* blue
  return UInt8(truncatingIfNeeded: min(255, (sum &+ chromaOffset) &>> 18))
}

/// 128 and the half that rounds.
@inline(__always)
private var chromaOffset: Int32 { (128 << 18) + (1 << 17) }
