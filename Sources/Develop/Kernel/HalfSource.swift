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
    case .array: preconditionFailure("other filter arrays are refused before")
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
    let isPlain = tile == nil && lines.isEmpty && isPlain(input)
    for y in region.rows {
      if isPlain, case .constant(let black) = plan.linearization.black {
        loadCells(y, region: region, cell: cell, black: black)
        consumer.take(FullRow(rows: result, y: y, columns: region.columns))
        continue
      }
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

  /// Whether stored codes of a region, all of them in the picture, become samples without a table.
  private func isPlain(_ input: Region) -> Bool {
    unsafe samples.kind == .uint16 && plan.linearization.table == nil
      && Region(size: plan.geometry.activeArea.size).contains(input)
  }

  /// Cells of a row straight from stored codes: what the loader and `balance` make of them, without the
  /// rows in between.
  private func loadCells(_ y: Int, region: Region, cell: [Int], black: BlackLevel) {
    let linearization = plan.linearization
    let left = 2 * region.left
    let upper = unsafe UnsafeRawPointer(samples.pointer(UInt16.self, row: 2 * y, index: left))
    let lower = unsafe UnsafeRawPointer(samples.pointer(UInt16.self, row: 2 * y + 1, index: left))
    func site(_ index: Int) -> (black: Lanes, scale: Lanes) {
      let level = black.level(row: 2 * y + index / 2, column: left + index % 2, sample: 0)
      return (Lanes(repeating: Float(level)), Lanes(repeating: linearization.scales[cell[index]]))
    }
    let sites = (site(0), site(1), site(2), site(3))
    let gains = linearization.gains
    let isGreenFirst = cell[0] == 1
    let first = cell[isGreenFirst ? 1 : 0]
    let firstRow = result[first]
    let secondRow = result[2 - first]
    let greenRow = result[1]
    let firstGain = Lanes(repeating: gains[first])
    let secondGain = Lanes(repeating: gains[2 - first])
    let half = Lanes(repeating: 0.5 * gains[1])
    let one = Lanes(repeating: 1)
    let low = BitLanes(repeating: 0xFFFF)
    let sixteen = BitLanes(repeating: 16)
    for i in stride(from: 0, to: region.width, by: 8) {
      // Little endian: a pair of codes is one word, the even column in its low half. A plane goes on for 64
      // bytes after its last sample.
      let above = unsafe upper.loadUnaligned(fromByteOffset: 4 * i, as: BitLanes.self)
      let below = unsafe lower.loadUnaligned(fromByteOffset: 4 * i, as: BitLanes.self)
      let a = ((Lanes(exactly: above & low) - sites.0.black) * sites.0.scale).minimum(one)
      let b = ((Lanes(exactly: above &>> sixteen) - sites.1.black) * sites.1.scale).minimum(one)
      let c = ((Lanes(exactly: below & low) - sites.2.black) * sites.2.scale).minimum(one)
      let d = ((Lanes(exactly: below &>> sixteen) - sites.3.black) * sites.3.scale).minimum(one)
      if isGreenFirst {
        firstRow[lanes: i] = b * firstGain
        secondRow[lanes: i] = c * secondGain
        greenRow[lanes: i] = (a + d) * half
      } else {
        firstRow[lanes: i] = a * firstGain
        secondRow[lanes: i] = d * secondGain
        greenRow[lanes: i] = (b + c) * half
      }
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
