internal import ColorScience
internal import Raster

extension LocalDetailStage {
  /// Nil where no amount asks for it.
  ///
  /// `stages`: those before, which make of the sensor's noise what is seen of it here.
  init?(_ context: StageContext, after stages: [PlannedStage]) throws(DevelopError) {
    let settings = context.settings
    let amounts = [settings.sharpnessAmount, settings.detailAmount, settings.contrastAmount]
    guard amounts.contains(where: { $0 > 0 }) else { return nil }
    let noise: [4 of Float]
    do throws(RasterError) {
      noise = try Self.noise(context, after: stages)
    } catch {
      throw .raster(error)
    }
    self.init(
      sharpness: settings.sharpnessAmount,
      detail: settings.detailAmount,
      contrast: settings.contrastAmount,
      scale: context.scale,
      pixelCount: context.geometry.size.pixelCount,
      noise: noise
    )
  }

  /// Sends a ramp of greys through the stages on single pixels and fits the noise of lightness.
  private static func noise(
    _ context: StageContext,
    after stages: [PlannedStage]
  ) throws(RasterError) -> [4 of Float] {
    let count = 128
    var pixels: [any PixelStage] = []
    for case .pixel(let stage) in stages { pixels.append(stage) }
    let scratchRowCount = pixels.reduce(0) { max($0, $1.scratchRowCount) }
    var memory = try ScratchMemory(rowCount: 4 + scratchRowCount, samples: count)
    let rows = memory.take(4)
    let row = PixelRow(
      rows: [rows.row(0), rows.row(1), rows.row(2)],
      range: 0..<count,
      // Where in the picture does not matter for what is wanted: the middle is as good as any.
      place: RowPlace(
        y: Double(context.geometry.activeArea.height / 2),
        x: Double(context.geometry.activeArea.width / 2),
        step: 0
      ),
      scratch: memory.take(scratchRowCount)
    )
    // Finer towards black, as lightness is.
    let values = (0..<count).map { index in
      let root = (Double(index) + 0.5) / Double(count)
      return root * root
    }
    for (index, value) in values.enumerated() {
      for color in 0..<3 { row.rows[color][index] = Float(value) }
    }
    for stage in pixels { stage.apply(row) }
    let weights = LuminanceWeights.romm
    let lightness = (0..<count).map { index in
      let red = row.rows[0][index] * weights.red
      let luminance = red + row.rows[1][index] * weights.green + row.rows[2][index] * weights.blue
      return Double(max(luminance, 0) + offset).squareRoot()
    }
    return LightnessNoise.polynomial(
      values: values,
      lightness: lightness,
      noise: context.noise.scaled(by: context.gains),
      // Resizing averages noise away.
      share: (1 - 0.8 * min(2 * context.settings.luminanceNoiseReductionAmount, 1))
        * min(context.scale, 1)
    )
  }
}
