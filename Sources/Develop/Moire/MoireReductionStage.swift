internal import Raster

/// Takes false colour out of fine patterns: of mosaics only.
///
/// Where the scene is finer than the mosaic's red and blue grids, the demosaic mistakes brightness for colour:
/// bands of colour over fine lines. There luma is restless: `Y = (R + 2 G + B) / 4` less its spline smoothing
/// of one pixel has much power `P`, relative to `Y`. In that measure the colour differences `C1 = R - G` and
/// `C2 = B - G` are replaced by the part of them that luma explains, and luma is left as it is.
///
/// What is made of two colours, as stripes and print are, lies on a line in colour space (I. Omer & M. Werman,
/// "Color Lines: Image Specific Color Representation", CVPR 2004): its `C` is `a Y + b`, while false colour has
/// another frequency than the pattern that it comes from and follows no line. So `C` becomes
/// `mean(C) + a (Y - mean(Y))` with `a = S(h(C) h(Y)) / (S(h(Y)^2) + k P)`, the regularised local
/// regression of the guided filter (K. He, J. Sun & X. Tang, IEEE TPAMI 35 (2013) 1397), of what false
/// colour cannot come from: `h` is the smoothing of one pixel less the mean, the mean the smoothing with steps 1,
/// 2 and 4 of `SplineSmoothing`, `S` that with step 3. And as false colour is luma's own detail gone astray, no
/// difference changes by more than twice the root of `P`. It works on balanced camera values. Version 2.
struct MoireReductionStage: RegionStage {
  static let name = "moireReduction"
  static let version = 2
  let halo = 20
  /// `Rows`, also for a tile of one pixel.
  let scratchPlaneCount = 8

  /// Relative power of luma's finest band up to which nothing is done, and from which on all: deviations of
  /// 2 and 8 hundredths.
  static let start: Float = 0.02 * 0.02
  static let end: Float = 0.08 * 0.08
  /// Share of the finest band's power that what explains colour must stand out from.
  static let regularization: Float = 0.1
  /// The largest change of a colour difference, in deviations of luma's finest band.
  static let bound: Float = 2

  private let amount: Float

  /// Nil where the amount is 0; settings are 0 for raws without a mosaic.
  init?(_ context: StageContext) {
    guard context.settings.moireReductionAmount > 0 else { return nil }
    self.init(amount: context.settings.moireReductionAmount)
  }

  /// - Parameter amount: 0 to 1.
  init(amount: Double) {
    self.amount = Float(amount)
  }

  func apply(_ input: RegionTile, into output: RegionTile, scratch: RegionScratch) {
    let tile = AlignedTile(input)
    let range = TileRange(rows: tile.rows, indices: tile.indices).grown(by: -halo)
    var cutter = ScratchRows(scratch.rows)
    let rows = Rows(&cutter)
    for y in (range.rows.lowerBound - Rows.lag)..<(range.rows.upperBound + Rows.lag) {
      rows.advance(tile, to: y, over: range)
      let done = y - Rows.lag
      guard range.rows.contains(done) else { continue }
      finish(done, rows, tile, range.indices, into: output)
    }
  }

  private func finish(
    _ y: Int,
    _ rows: Rows,
    _ tile: AlignedTile,
    _ indices: Range<Int>,
    into output: RegionTile
  ) {
    rows.measure(y, indices)
    let first = indices.lowerBound
    let result = output.rows(y)
    let luma = rows.luma[y]
    let means: [3 of SampleRow] = [rows.means[0][y], rows.means[1][y], rows.means[2][y]]
    let tiny = Lanes(repeating: 1e-4)
    for i in stride(from: 0, to: indices.count, by: 8) {
      let j = first + i
      let light = luma[lanes: j].maximum(tiny)
      let square = light * light
      let power = rows.power[lanes: j]
      let relative = power / square
      let share = ((relative - Self.start) * (1 / (Self.end - Self.start))).smoothStep * amount
      // The last term is for places without any detail, which have no share.
      let divisor = rows.guide[lanes: j] + power * Self.regularization + square * 1e-6
      let detail = (luma[lanes: j] - means[2][lanes: j]) / divisor
      let limit = power.portableSquareRoot * Self.bound
      let green = tile.row(1, y)[lanes: j]
      let red = tile.row(0, y)[lanes: j]
      let blue = tile.row(2, y)[lanes: j]
      let e1 = means[0][lanes: j] + rows.slopes.0[lanes: j] * detail - (red - green)
      let e2 = means[1][lanes: j] + rows.slopes.1[lanes: j] * detail - (blue - green)
      let d1 = e1.minimum(limit).maximum(-limit) * share
      let d2 = e2.minimum(limit).maximum(-limit) * share
      // Luma stays: what the colours gain, all three give back.
      let rest = (d1 + d2) * 0.25
      result[0][lanes: i] = red + (d1 - rest)
      result[1][lanes: i] = green - rest
      result[2][lanes: i] = blue + (d2 - rest)
    }
  }
}
