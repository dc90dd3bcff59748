internal import Raster
internal import RawModel

/// Highlight recovery of pixels that have all colours, those of a LinearRaw and the cells of a mosaic in a
/// picture of half the size: see `HighlightReconstruction`.
///
/// It works on balanced camera values. Version 2.
struct HighlightPixelStage: PixelStage {
  static let name = "highlightRecovery"
  static let version = 2

  private let reconstruction: HighlightReconstruction
  private var highlights: Highlights?

  init?(_ context: StageContext) {
    let isCells = context.description.layout.isMosaic && context.geometry.isHalf
    guard context.settings.isHighlightRecoveryEnabled,
      isCells || context.description.layout == .linear(planes: 3)
    else { return nil }
    reconstruction = HighlightReconstruction(gains: context.gains)
  }

  var readsHighlights: Bool { true }

  func prepared(with highlights: Highlights?) -> HighlightPixelStage {
    var stage = self
    stage.highlights = highlights
    return stage
  }

  func apply(_ row: PixelRow) {
    guard let field = highlights?.field else { return }
    let gains = reconstruction.gains
    for i in stride(from: row.range.lowerBound, to: row.range.upperBound, by: 8) {
      let red = row.rows[0][lanes: i] * (1 / gains[0])
      let green = row.rows[1][lanes: i] * (1 / gains[1])
      let blue = row.rows[2][lanes: i] * (1 / gains[2])
      let largest = red.maximum(green).maximum(blue)
      guard HighlightReconstruction.mayChange(largest) else { continue }
      let chroma = field.chroma(
        x: Float(row.place.x(i)),
        step: Float(row.place.step),
        y: Float(row.place.y)
      )
      let values: [3 of Lanes] = [red, green, blue]
      for own in 0..<3 {
        let first = (own + 1) % 3
        let second = (own + 2) % 3
        row.rows[own][lanes: i] = reconstruction.rebuilt(
          row.rows[own][lanes: i],
          value: values[own],
          unit: 1,
          HighlightReconstruction.Neighbours(values[first], gain: gains[first]),
          HighlightReconstruction.Neighbours(values[second], gain: gains[second]),
          chroma: (chroma[own], chroma[first], chroma[second])
        )
      }
    }
  }
}
