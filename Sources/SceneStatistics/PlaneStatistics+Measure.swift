internal import ColorScience

extension PlaneStatistics {
  /// Derives everything from the histogram of a plane's stored codes.
  ///
  /// - Throws: `levelsUnusable` unless white lies above black; `areaUnusable` for a plane without
  ///   samples.
  init(
    _ plane: SensorPlane,
    place: Int,
    stored: LevelHistogram,
    table: [UInt16]?,
    black: Double,
    white: Double
  ) throws(StatisticsError) {
    guard black.isFinite, white.isFinite, white > black else {
      throw .levelsUnusable(plane: plane.rawValue, black: black, white: white)
    }
    let linearized = table.map { stored.mapped(through: $0) } ?? stored
    guard
      let mean = linearized.mean, let deviation = linearized.standardDeviation,
      let minimum = linearized.minimum, let maximum = linearized.maximum
    else {
      throw .areaUnusable(tag: "DefaultCropSize")
    }
    self.plane = plane
    self.place = place
    self.stored = stored
    isLinearized = table?.isEmpty == false
    self.linearized = linearized
    self.black = black
    self.white = white
    self.mean = mean
    standardDeviation = deviation
    self.minimum = minimum
    self.maximum = maximum
    percentiles = Self.percentileFractions.compactMap { linearized.percentile($0) }
    clippedCount = linearized.count(from: white)
    let saturation = SaturationLevel.detected(in: linearized, black: black)
    saturationLevel = saturation
    saturatedCount = saturation.map { linearized.count(from: Double($0)) }
    underexposedCount = linearized.count(below: black + (white - black) / 256)
    exposure = ExposureHistogram(linearized, black: black, clip: white)
    let share = (mean - black) / (white - black)
    meanEV = share > 0 ? PortableMath.log2(share) : nil
    let bright = linearized.percentile(0.999).map { Double($0) - black } ?? 0
    headroomEV = bright > 0 ? PortableMath.log2((white - black) / bright) : nil
  }
}
