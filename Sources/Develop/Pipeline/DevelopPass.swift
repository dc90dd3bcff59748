internal import Raster

/// One pass over the picture: from the stored samples or an intermediate picture, in tiles, to an
/// intermediate picture or the finished one.
struct DevelopPass: Sendable {
  /// Where rows come from.
  enum Source: Sendable {
    /// Stored samples, demosaiced.
    case raw
    /// Stored samples, a pixel for each 2x2 cell.
    case half
    /// The picture that the pass before made, through the warps in their order.
    case intermediate([ResolvedWarp])
  }

  var source: Source
  /// How the pixels of the source lie in the active area.
  let sourceGeometry: RegionGeometry
  /// Those of them whose centres lie in the active area.
  let sourceGrid: Region
  /// Pixel stages before the picture is resized.
  var pixels: [any PixelStage] = []
  var scale: ScaleStage?
  /// What follows.
  var steps: [PictureStep] = []
  /// What this pass makes, in its own pixels.
  var output = Region(left: 0, top: 0, width: 0, height: 0)

  /// Stages that run together.
  enum PictureStep: Sendable {
    case pixels([any PixelStage])
    case region(any RegionStage)
  }

  /// How the pixels of the pass lie in the active area.
  var geometry: RegionGeometry { scale?.geometry ?? sourceGeometry }

  var regionStages: [any RegionStage] {
    var result: [any RegionStage] = []
    for case .region(let stage) in steps { result.append(stage) }
    return result
  }

  /// Pixels around a tile that its stages read.
  var halo: Int { regionStages.reduce(0) { $0 + $1.halo } }

  /// Rows of scratch that a pixel stage of the steps wants.
  var pixelScratchRowCount: Int {
    var most = 0
    for case .pixels(let stages) in steps { most = max(most, PixelRows.scratchRowCount(stages)) }
    return most
  }

  /// The pixel stages before the first region stage.
  var leadingPixels: [any PixelStage] {
    if case .pixels(let stages)? = steps.first, !regionStages.isEmpty { stages } else { [] }
  }

  /// The pixel stages after the last region stage.
  var trailingPixels: [any PixelStage] {
    if case .pixels(let stages)? = steps.last { stages } else { [] }
  }

  /// The part of the source that a region needs.
  ///
  /// A source mirrors columns beyond the picture from those of the region, so that it has these too: a region
  /// that is resized reaches farther to one side than to the other. Without resizing regions are tiles and
  /// the same halo on all sides, which have them.
  func input(of region: Region) -> Region {
    guard let scale else { return region }
    let input = ScaledRows.input(of: region, columns: scale.columns, lines: scale.lines)
    // One more, for cells of which the last is but half in the picture.
    let left =
      input.right > sourceGrid.right ? 2 * (sourceGrid.right - 1) - input.right : input.left
    let right = input.left < sourceGrid.left ? 2 * sourceGrid.left + 1 - input.left : input.right
    let first = min(input.left, max(left, sourceGrid.left))
    let end = max(input.right, min(right, sourceGrid.right))
    return Region(left: first, top: input.top, width: end - first, height: input.height)
  }

  /// The largest part of the source that tiles of this size need, halo and all.
  func inputSize(ofTiles size: PixelSize) -> PixelSize {
    guard scale != nil else {
      return PixelSize(width: size.width + 2 * halo, height: size.height + 2 * halo)
    }
    let grid = TileGrid(bounds: output, tileSize: size)
    var largest = PixelSize(width: 0, height: 0)
    func look(_ index: Int) {
      let input = input(of: grid[index].region.grown(by: halo))
      largest.width = max(largest.width, input.width)
      largest.height = max(largest.height, input.height)
    }
    // Columns of the first row of tiles, rows of the first column.
    for column in 0..<grid.columnCount { look(column) }
    for row in 0..<grid.rowCount { look(row * grid.columnCount) }
    return largest
  }

  /// The size of the tiles where this one was asked for.
  ///
  /// Tiles of a picture that shrinks are smaller, so that what they are made from stays in the caches.
  func tileSize(_ asked: PixelSize) -> PixelSize {
    func side(_ asked: Int, _ step: Double, _ whole: Int) -> Int {
      let reduced = step > 1 ? max(Int(Double(asked) / step), min(asked, 32)) : asked
      return min(max(reduced, 1), whole)
    }
    return PixelSize(
      width: side(asked.width, scale?.stepX ?? 1, output.width),
      height: side(asked.height, scale?.stepY ?? 1, output.height)
    )
  }

  var isFromIntermediate: Bool {
    if case .intermediate = source { true } else { false }
  }

  init(source: Source, sourceGeometry: RegionGeometry, activeArea: PixelSize) {
    self.source = source
    self.sourceGeometry = sourceGeometry
    sourceGrid = sourceGeometry.pixels(of: activeArea)
  }

  mutating func append(_ stage: any PixelStage) {
    if case .pixels(let stages)? = steps.last {
      steps[steps.count - 1] = .pixels(stages + [stage])
    } else {
      steps.append(.pixels([stage]))
    }
  }
}
