/// x265's constant rate factor (CRF): 0 is nearly lossless, 51 the coarsest.
///
/// Whole numbers only: with the fast presets each is one quantiser for the whole picture, and halves
/// would be rounded somewhere in x265's floating point.
///
/// What a factor means was measured with x265 3.5 on a 12 MP photograph with sensor noise, 4:2:0, one
/// thread; PSNR is of luma, time is relative to the first row:
///
/// | preset    | CRF | MB  | PSNR-Y | time |
/// |-----------|-----|-----|--------|------|
/// | ultrafast | 18  | 2.9 | 46.9   | 1    |
/// | ultrafast | 22  | 1.6 | 43.8   | 0.7  |
/// | ultrafast | 10  | 6.1 | 52.5   | 1.3  |
/// | ultrafast | 2   | 9.0 | 56.9   | 1.3  |
///
/// At equal size superfast, veryfast and medium gain 0.4 to 0.7 dB for three to four times the time,
/// which is most of what a render to HEIC costs: hence ultrafast, and CRF 18 for the default quality
/// of 0.9, where the coding error stays below the noise of a well exposed photograph.
package struct RateFactor: Hashable, Sendable {
  package let value: Int

  /// - Precondition: 0 to 51.
  package init(_ value: Int) {
    precondition((0...51).contains(value), "x265's rate factor is 0 to 51")
    self.value = value
  }

  /// The factor of a quality from 0 to 1 (beyond is clipped): straight lines through 0 → 51,
  /// 0.9 → 18 and 1 → 4, rounded.
  ///
  /// x265 gains about as much per step everywhere (6 steps halve the quantiser's error), so that equal
  /// steps of quality look equal below 0.9; above, the scale is steeper, because who asks for more
  /// than 0.9 pays in bytes for what is hard to see.
  package init(quality: Double) {
    let quality = quality.isNaN ? 0 : min(1, max(0, quality))
    let exact = quality <= 0.9 ? 51 - quality * (33 / 0.9) : 18 - (quality - 0.9) * 140
    self.init(Int(exact.rounded()))
  }
}
