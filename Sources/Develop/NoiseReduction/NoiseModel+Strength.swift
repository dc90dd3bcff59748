extension NoiseModel {
  /// Noise of green at a tenth of white, as a share of white, up to which nothing is done about it unasked and
  /// from which on all is: that of about ISO 400 and ISO 1600 of a full-frame camera.
  private static let start = 0.004
  private static let full = 0.012

  /// How much is done about noise that nothing was asked about, from 0 to 1; smooth in the noise.
  var strength: Double {
    let deviation = max(variance(0.1).y, 0).squareRoot()
    let share = min(max((deviation - Self.start) / (Self.full - Self.start), 0), 1)
    return share * share * (3 - 2 * share)
  }
}
