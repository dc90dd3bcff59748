internal import ColorScience

/// The stages on single pixels, from balanced camera values to encodable Display P3.
///
/// Each stage is a pass over three rows of a few hundred samples that stay in the first-level cache: a
/// loop without branches whose constants stay in registers is worth more than the loads it saves to
/// run all stages in one.
struct PixelKernel {
  private let toWorking: LaneMatrix
  private let ramp: BlackRamp?
  private let boost: ToneStage.Boost?
  /// Nil where `toWorking` goes to Display P3 already.
  private let toOutput: LaneMatrix?
  private let gamut: GamutMapStage.Scales?

  init(color: WorkingColorStage, tone: ToneStage, gamut: GamutMapStage?) {
    // Without a tone stage both matrices are one.
    toWorking = LaneMatrix(
      tone.isIdentity ? color.workingToOutput * color.cameraToWorking : color.cameraToWorking
    )
    toOutput = tone.isIdentity ? nil : LaneMatrix(color.workingToOutput)
    ramp = tone.ramp
    boost = tone.boost
    self.gamut = gamut?.laneScales
  }

  /// Turns balanced camera values into table positions of `EncodingTables`, in place.
  ///
  /// `rows` are red, green and blue; up to seven samples past `range` are done too.
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>) {
    toWorking.applyClipped(rows, range)
    ramp?.apply(rows, range)
    boost?.apply(rows, range)
    toOutput?.apply(rows, range)
    if let gamut { GamutMapStage.apply(rows, range, gamut) }
    for color in 0..<3 {
      let row = rows[color]
      for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        row[bits: i] = EncodingTables.position(row[lanes: i])
      }
    }
  }
}
