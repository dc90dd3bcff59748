internal import ColorScience

/// The stages on single pixels, from balanced camera values to encodable Display P3, in one pass over
/// rows that lie in the first-level cache.
struct PixelKernel {
  private let toWorking: LaneMatrix
  private let toOutput: LaneMatrix
  private let isMatrixEnough: Bool
  private let ramp: BlackRamp?
  private let boost: ToneStage.Boost?
  private let coefficients: ToneStage.Boost.Coefficients
  private let gamut: GamutMapStage.Scales?

  init(color: WorkingColorStage, tone: ToneStage, gamut: GamutMapStage?) {
    // Without a tone stage both matrices are one.
    isMatrixEnough = tone.isIdentity
    toWorking = LaneMatrix(
      tone.isIdentity ? color.workingToOutput * color.cameraToWorking : color.cameraToWorking
    )
    toOutput = LaneMatrix(color.workingToOutput)
    ramp = tone.ramp
    boost = tone.boost
    coefficients =
      tone.boost?.coefficients ?? ToneStage.Boost.Coefficients(p: 0, q: 1, b: 0, c: 0)
    self.gamut = gamut?.laneScales
  }

  /// Turns balanced camera values into table positions of `EncodingTables`, in place.
  ///
  /// - Parameters:
  ///   - rows: Red, green and blue.
  ///   - range: The samples to do; up to seven more are done.
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>) {
    let one = Lanes(repeating: 1)
    let redRow = rows[0]
    let greenRow = rows[1]
    let blueRow = rows[2]
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      var red = redRow[lanes: i].minimum(one)
      var green = greenRow[lanes: i].minimum(one)
      var blue = blueRow[lanes: i].minimum(one)
      toWorking.apply(&red, &green, &blue)
      if !isMatrixEnough {
        if let ramp {
          red = ramp.apply(red)
          green = ramp.apply(green)
          blue = ramp.apply(blue)
        }
        if let boost { boost.apply(&red, &green, &blue, coefficients) }
        toOutput.apply(&red, &green, &blue)
      }
      if let gamut { GamutMapStage.apply(&red, &green, &blue, gamut) }
      redRow[bits: i] = EncodingTables.position(red)
      greenRow[bits: i] = EncodingTables.position(green)
      blueRow[bits: i] = EncodingTables.position(blue)
    }
  }
}
