internal import Raster

/// Takes false colour out of fine patterns: of mosaics only.
///
/// Where the scene is finer than the mosaic's red and blue grids, the demosaic mistakes brightness for colour:
/// bands of colour over fine lines. There luma is restless: `Y = (R + 2 G + B) / 4` less its spline smoothing
/// of one pixel has much power, relative to `Y`. In that measure the colour differences `R - G` and `B - G`
/// are replaced by their smoothing over about ten pixels (`SplineSmoothing` with steps 1, 2 and 4), which
/// averages the bands away and leaves luma as it is. Coloured fine texture loses colour too, so nothing is done
/// unless it is asked for. It works on balanced camera values. Version 1.
struct MoireReductionStage: RegionStage {
  static let name = "moireReduction"
  let halo = 16
  /// `Rows`, also for a tile of one pixel.
  let scratchPlaneCount = 6

  /// Relative power of luma's finest band up to which nothing is done, and from which on all: deviations of
  /// 2 and 8 hundredths.
  static let start: Float = 0.02 * 0.02
  static let end: Float = 0.08 * 0.08

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
    rows.smoothPower(y, indices)
    rows.smoothColor(y, indices)
    let first = indices.lowerBound
    let result = output.rows(y)
    let luma = rows.luma[y]
    let tiny = Lanes(repeating: 1e-4)
    for i in stride(from: 0, to: indices.count, by: 8) {
      let j = first + i
      let light = luma[lanes: j].maximum(tiny)
      let relative = rows.power[lanes: j] / (light * light)
      let share = ((relative - Self.start) * (1 / (Self.end - Self.start))).smoothStep * amount
      let green = tile.row(1, y)[lanes: j]
      let red = tile.row(0, y)[lanes: j]
      let blue = tile.row(2, y)[lanes: j]
      let c1 = red - green
      let c2 = blue - green
      let d1 = (rows.smooth.0[lanes: j] - c1) * share
      let d2 = (rows.smooth.1[lanes: j] - c2) * share
      // Luma stays: what the colours gain, all three give back.
      let rest = (d1 + d2) * 0.25
      result[0][lanes: i] = red + (d1 - rest)
      result[1][lanes: i] = green - rest
      result[2][lanes: i] = blue + (d2 - rest)
    }
  }
}

extension MoireReductionStage {
  /// Luma, colour differences and their smoothings, row after row.
  struct Rows {
    /// Rows that a result follows behind: the reach of three smoothings.
    static let lag = 14

    let luma: RowRing
    private let differences: [2 of RowRing]
    private let once: [2 of RowRing]
    private let twice: [2 of RowRing]
    private let squares: RowRing
    private let column: SampleRow
    /// Of the row that was finished last: the power of luma, and the smoothed colour differences.
    let power: SampleRow
    let smooth: (SampleRow, SampleRow)

    init(_ scratch: inout ScratchRows) {
      luma = scratch.ring(32)
      differences = [scratch.ring(8), scratch.ring(8)]
      once = [scratch.ring(16), scratch.ring(16)]
      twice = [scratch.ring(32), scratch.ring(32)]
      squares = scratch.ring(32)
      column = scratch.row()
      power = scratch.row()
      smooth = (scratch.row(), scratch.row())
    }

    /// Takes row `y` in and does what it makes possible.
    func advance(_ tile: AlignedTile, to y: Int, over range: TileRange) {
      func grown(_ reach: Int) -> Range<Int> { range.grown(by: reach).indices }
      let top = range.rows.lowerBound
      load(tile, y, grown(14))
      if y - 2 >= top - 12 {
        for color in 0..<2 {
          smooth(differences[color], y - 2, into: once[color][y - 2], 1, grown(12))
        }
        let row = squares[y - 2]
        smooth(luma, y - 2, into: row, 1, grown(12))
        let light = luma[y - 2]
        for i in stride(from: grown(12).lowerBound, to: grown(12).upperBound, by: 8) {
          let band = light[lanes: i] - row[lanes: i]
          row[lanes: i] = band * band
        }
      }
      if y - 6 >= top - 8 {
        for color in 0..<2 {
          smooth(once[color], y - 6, into: twice[color][y - 6], 2, grown(8))
        }
      }
    }

    /// Power of luma's finest band around row `y`.
    func smoothPower(_ y: Int, _ indices: Range<Int>) {
      smooth(squares, y, into: power, 2, indices)
    }

    /// The last smoothing of the colour differences.
    func smoothColor(_ y: Int, _ indices: Range<Int>) {
      smooth(twice[0], y, into: smooth.0, 4, indices)
      smooth(twice[1], y, into: smooth.1, 4, indices)
    }

    private func load(_ tile: AlignedTile, _ y: Int, _ indices: Range<Int>) {
      let red = tile.row(0, y)
      let green = tile.row(1, y)
      let blue = tile.row(2, y)
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let g = green[lanes: i]
        let c1 = red[lanes: i] - g
        let c2 = blue[lanes: i] - g
        differences[0][y][lanes: i] = c1
        differences[1][y][lanes: i] = c2
        luma[y][lanes: i] = g + (c1 + c2) * 0.25
      }
    }

    private func smooth(
      _ source: RowRing,
      _ y: Int,
      into row: SampleRow,
      _ step: Int,
      _ indices: Range<Int>
    ) {
      SplineSmoothing.row(y, of: source, into: row, step: step, indices: indices, column: column)
    }
  }
}
