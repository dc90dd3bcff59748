internal import ColorScience
internal import Raster

/// Compresses the differences of brightness between large parts of a picture and keeps its detail: what
/// `localToneMapAmount` does for files with a gain table, for those without one.
///
/// `l = log2 Y` of `Y = (R + 2 G + B) / 4` of balanced camera values is parted into a base and detail by a
/// guided filter (`BlockField`), whose radius is a thirtieth of the picture's shorter side and which takes
/// variances under `(1/4 EV)^2` for detail. The base is drawn towards middle grey: `2^(-amount / 2 (base - g))`
/// multiplies all channels, `g` being the level that the exposure takes to 0.18. At an amount of 1 a base twice
/// as far from grey is one and a half times as far. F. Durand & J. Dorsey, "Fast Bilateral Filtering for the
/// Display of High-Dynamic-Range Images", SIGGRAPH 2002, with the filter of K. He, J. Sun & X. Tang, "Guided
/// Image Filtering", IEEE TPAMI 35 (2013) 1397. Version 1.
struct LocalContrastStage: PixelStage {
  static let name = "localContrastCompress"
  /// The filter between rows of blocks, and at pixels.
  let scratchRowCount = 4

  /// Share of the base's distance from grey that an amount of 1 takes away.
  static let strength = 0.5
  /// The darkest that counts, in powers of two of white: under it there is noise alone.
  static let floor: Float = -12

  private let share: Float
  private let grey: Float
  private var field: BlockField?

  /// Nil where the amount is 0.
  init?(_ context: StageContext) {
    let settings = context.settings
    guard settings.localContrastCompress > 0 else { return nil }
    share = Float(settings.localContrastCompress * Self.strength)
    let exposure = settings.exposureEV + settings.baselineExposureEV
    grey = Float(PortableMath.log2(0.18) - exposure)
  }

  var readsAnalysis: Bool { true }

  func prepared(with analysis: PictureAnalysis) throws(RasterError) -> LocalContrastStage {
    var stage = self
    stage.field = BlockField(analysis, floor: Self.floor)
    return stage
  }

  /// The logarithm of luminance.
  @inline(__always)
  static func logarithm(_ red: Lanes, _ green: Lanes, _ blue: Lanes) -> Lanes {
    let luminance = (red + green * 2 + blue) * 0.25
    // 2^-12, the floor.
    return luminance.maximum(Lanes(repeating: 0x1p-12)).binaryLogarithm
  }

  func apply(_ row: PixelRow) {
    guard let field else { return }
    field.interpolate(row)
    let slope = row.scratch.row(2)
    let offset = row.scratch.row(3)
    for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
      let red = row.rows[0][lanes: i]
      let green = row.rows[1][lanes: i]
      let blue = row.rows[2][lanes: i]
      let level = Self.logarithm(red, green, blue)
      let base = slope[lanes: i] * level + offset[lanes: i]
      let gain = ((Lanes(repeating: grey) - base) * share).binaryPower
      row.rows[0][lanes: i] = red * gain
      row.rows[1][lanes: i] = green * gain
      row.rows[2][lanes: i] = blue * gain
    }
  }
}
