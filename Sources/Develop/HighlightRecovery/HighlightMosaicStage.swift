internal import Raster
internal import RawModel

/// Highlight recovery of a mosaic, before the demosaic: see `HighlightReconstruction`.
///
/// Other colours at a photosite are those of the nearest photosites that have them, in pairs on opposite sides.
/// Version 2.
struct HighlightMosaicStage: MosaicStage {
  static let name = "highlightRecovery"
  static let version = 2
  let halo = 2

  private let reconstruction: HighlightReconstruction
  private let pattern: CFAPattern
  private var highlights: Highlights?

  init?(_ context: StageContext) {
    // Of a picture of half the size, cells are recovered: see `HighlightPixelStage`.
    guard context.settings.isHighlightRecoveryEnabled, !context.geometry.isHalf,
      case .mosaic(let pattern) = context.description.layout
    else { return nil }
    self.pattern = pattern
    reconstruction = HighlightReconstruction(gains: context.gains)
  }

  var readsHighlights: Bool { true }

  func prepared(with highlights: Highlights?) -> HighlightMosaicStage {
    var stage = self
    stage.highlights = highlights
    return stage
  }

  func isNeeded(in region: Region) -> Bool {
    // A photosite beside the region may be the clipped one.
    highlights?.isAnyClipped(in: region.grown(by: halo)) ?? false
  }

  func apply(_ input: MosaicTile, into output: MosaicTile, scratch: SampleRow.Allocation) {
    guard let field = highlights?.field else { return }
    let cell = pattern.colors
    // The input begins pairs of columns further left.
    let shift = (output.region.left - input.region.left) >> 1
    for y in output.region.rows {
      let row = 2 * (y & 1)
      let phase = cell[row] == 1 ? 1 : 0
      let line = Line(input, y: y, phase: phase)
      let newColor = phase == 0 ? output.even(y) : output.odd(y)
      let newGreen = phase == 0 ? output.odd(y) : output.even(y)
      let own = cell[row + phase]
      for i in stride(from: 0, to: output.pairCount, by: 8) {
        let color = line.color[lanes: i + shift]
        let green = line.green[lanes: i + shift]
        newColor[lanes: i] = color
        newGreen[lanes: i] = green
        let x = output.region.left + 2 * i
        if HighlightReconstruction.mayChange(color) {
          let chroma = field.chroma(x: x + phase, step: 2, y: y)
          newColor[lanes: i] = atColor(line, i + shift, own: own, chroma)
        }
        if HighlightReconstruction.mayChange(green) {
          let chroma = field.chroma(x: x + 1 - phase, step: 2, y: y)
          newGreen[lanes: i] = atGreen(line, i + shift, own: own, chroma)
        }
      }
    }
  }

  /// Half rows around one row of the input.
  private struct Line {
    let phase: Int
    let color: SampleRow
    let green: SampleRow
    let colorAbove: SampleRow
    let greenAbove: SampleRow
    let colorBelow: SampleRow
    let greenBelow: SampleRow

    init(_ tile: MosaicTile, y: Int, phase: Int) {
      self.phase = phase
      // The colour sites of the rows above and below are in the columns of this row's green sites.
      let isEven = phase == 0
      color = isEven ? tile.even(y) : tile.odd(y)
      green = isEven ? tile.odd(y) : tile.even(y)
      colorAbove = isEven ? tile.odd(y - 1) : tile.even(y - 1)
      greenAbove = isEven ? tile.even(y - 1) : tile.odd(y - 1)
      colorBelow = isEven ? tile.odd(y + 1) : tile.even(y + 1)
      greenBelow = isEven ? tile.even(y + 1) : tile.odd(y + 1)
    }
  }

  /// A red or blue photosite: four greens beside it, four of the other colour at its corners.
  @inline(never)
  private func atColor(_ line: Line, _ i: Int, own: Int, _ chroma: HighlightField.LaneChroma)
    -> Lanes
  {
    let left = line.phase - 1
    let other = 2 - own
    let green = Neighbours(
      pair(line.green[lanes: i + left], line.green[lanes: i + left + 1], color: 1),
      pair(line.greenAbove[lanes: i], line.greenBelow[lanes: i], color: 1)
    )
    let corners = Neighbours(
      pair(
        line.colorAbove[lanes: i + left],
        line.colorBelow[lanes: i + left + 1],
        color: other
      ),
      pair(
        line.colorAbove[lanes: i + left + 1],
        line.colorBelow[lanes: i + left],
        color: other
      )
    )
    return reconstruction.rebuilt(
      line.color[lanes: i],
      value: line.color[lanes: i],
      unit: 1 / reconstruction.gains[own],
      green,
      corners,
      chroma: (chroma[own], chroma[1], chroma[other])
    )
  }

  /// A green photosite: two of the row's colour beside it, two of the other above and below.
  @inline(never)
  private func atGreen(_ line: Line, _ i: Int, own: Int, _ chroma: HighlightField.LaneChroma)
    -> Lanes
  {
    let phase = line.phase
    let other = 2 - own
    let inRow = pair(line.color[lanes: i - phase], line.color[lanes: i - phase + 1], color: own)
    let inColumn = pair(line.colorAbove[lanes: i], line.colorBelow[lanes: i], color: other)
    return reconstruction.rebuilt(
      line.green[lanes: i],
      value: line.green[lanes: i],
      unit: 1 / reconstruction.gains[1],
      inRow,
      inColumn,
      chroma: (chroma[1], chroma[own], chroma[other])
    )
  }

  private typealias Neighbours = HighlightReconstruction.Neighbours

  @inline(__always)
  private func pair(_ a: Lanes, _ b: Lanes, color: Int) -> Neighbours {
    Neighbours(a, b, gain: reconstruction.gains[color])
  }
}
