internal import Raster
internal import RawModel

/// One lane's source of a picture of half the size: each pixel is made of the four photosites of a 2x2
/// cell, so that nothing is interpolated.
///
/// Green is the mean of the cell's two; of a LinearRaw all colours are means of four. Cell (x, y) has the
/// photosites (2 x, 2 y) to (2 x + 1, 2 y + 1) of the active area; what lies beyond an odd edge is
/// mirrored. Version 1.
// @safe: the samples are lent for as long as lanes live.
@safe
final class HalfSource: RowSource {
  static let version = 1

  private let plan: DevelopPlan
  private let samples: ActiveSamples
  private let memory: ScratchMemory
  private var loader: SampleLoader
  /// Even and odd columns of a cell's two rows: of one colour for mosaics, of three for LinearRaw.
  private let upper: (even: [3 of SampleRow], odd: [3 of SampleRow])
  private let lower: (even: [3 of SampleRow], odd: [3 of SampleRow])
  private let result: [3 of SampleRow]
  private var tiles: MosaicTiles?

  /// A source of regions up to `size`, in cells.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  @unsafe
  init(
    _ plan: DevelopPlan,
    samples: ActiveSamples,
    size: PixelSize
  ) throws(RasterError) {
    let columns = 2 * size.width + 34
    var memory = try ScratchMemory(
      rowCount: 15 + SampleLoader.scratchRowCount,
      samples: columns / 2 + 1
    )
    let loader = try SampleLoader(plan, columns: columns, &memory)
    let tiles =
      plan.mosaicStages.isEmpty
      ? nil : try MosaicTiles(plan, width: columns, height: 2 * size.height)
    func rows() -> [3 of SampleRow] {
      let rows = memory.take(3)
      return [rows.row(0), rows.row(1), rows.row(2)]
    }
    self.plan = plan
    unsafe self.samples = samples
    self.loader = loader
    self.tiles = tiles
    upper = (rows(), rows())
    lower = (rows(), rows())
    result = rows()
    self.memory = memory
  }

  func produce(_ region: Region, into consumer: any RowConsumer) {
    switch plan.layout {
    case .mosaic(let pattern): produceMosaic(region, pattern: pattern, into: consumer)
    case .linear(let planes): produceLinear(region, planes: planes, into: consumer)
    }
  }

  private func produceMosaic(
    _ region: Region,
    pattern: CFAPattern,
    into consumer: any RowConsumer
  ) {
    let count = region.width
    let input = Region(
      left: 2 * region.left,
      top: 2 * region.top,
      width: 2 * region.width,
      height: 2 * region.height
    )
    let lines = plan.lineStages
    let cell = pattern.colors
    let gains = plan.linearization.gains
    let tile = unsafe tiles?.load(input, pattern: pattern, samples: samples, with: &loader)
    for y in region.rows {
      var rows: [4 of SampleRow] = [upper.even[0], upper.odd[0], lower.even[0], lower.odd[0]]
      if let tile {
        rows = [tile.even(2 * y), tile.odd(2 * y), tile.even(2 * y + 1), tile.odd(2 * y + 1)]
      } else {
        for line in 0..<2 {
          unsafe loader.loadMosaic(
            2 * y + line,
            pattern: pattern,
            stages: lines,
            isBalanced: false,
            samples: samples,
            into: SampleLoader.MosaicTarget(
              even: rows[2 * line],
              odd: rows[2 * line + 1],
              origin: input.left,
              count: count,
              end: input.right
            )
          )
        }
      }
      // A cell has one red, one blue and, in a row each, two greens.
      let isGreenFirst = cell[0] == 1
      let first = rows[isGreenFirst ? 1 : 0]
      let second = rows[isGreenFirst ? 2 : 3]
      let greenAbove = rows[isGreenFirst ? 0 : 1]
      let greenBelow = rows[isGreenFirst ? 3 : 2]
      let isRedFirst = cell[isGreenFirst ? 1 : 0] == 0
      Self.balance(isRedFirst ? first : second, gains[0], into: result[0], count: count)
      Self.balance(isRedFirst ? second : first, gains[2], into: result[2], count: count)
      let half = Lanes(repeating: 0.5 * gains[1])
      for i in stride(from: 0, to: count, by: 8) {
        result[1][lanes: i] = (greenAbove[lanes: i] + greenBelow[lanes: i]) * half
      }
      consumer.take(FullRow(rows: result, y: y, columns: region.columns))
    }
  }

  private static func balance(_ source: SampleRow, _ gain: Float, into row: SampleRow, count: Int) {
    let gain = Lanes(repeating: gain)
    for i in stride(from: 0, to: count, by: 8) { row[lanes: i] = source[lanes: i] * gain }
  }

  private func produceLinear(_ region: Region, planes: Int, into consumer: any RowConsumer) {
    for y in region.rows {
      for line in 0..<2 {
        unsafe loader.loadLinear(
          2 * y + line,
          planes: planes,
          origin: 2 * region.left,
          count: 2 * region.width,
          isBalanced: true,
          samples: samples,
          even: line == 0 ? upper.even : lower.even,
          odd: line == 0 ? upper.odd : lower.odd
        )
      }
      for color in 0..<3 {
        for i in stride(from: 0, to: region.width, by: 8) {
          let above = upper.even[color][lanes: i] + upper.odd[color][lanes: i]
          let below = lower.even[color][lanes: i] + lower.odd[color][lanes: i]
          result[color][lanes: i] = (above + below) * 0.25
        }
      }
      consumer.take(FullRow(rows: result, y: y, columns: region.columns))
    }
  }
}
