internal import Raster

/// What colour highlights have: chroma around clipped places, filled in beneath them.
///
/// The picture in cells of 16x16 pixels. Where samples are clipped and around, a cell holds the mean chroma
/// of its quads (2x2 photosites) of which no sample is near clipping, bright ones foremost; cells without
/// such quads are filled from those around by a pyramid: sums of 2x2 cells up to a single one, then down
/// again, each level taking from the coarser what it lacks (S. J. Gortler, R. Grzeszczuk, R. Szeliski & M. F.
/// Cohen, "The Lumigraph", SIGGRAPH 1996, section 3.6.4, "pull-push"). The field so changes smoothly under
/// clipped areas and meets the colour at their edges.
struct HighlightField: Sendable {
  /// Pixels along a cell's side.
  static let cell = 16
  /// Share of the coarser level that a cell takes in whatever it has itself, in quads of full weight.
  private static let confidence: Float = 0.02

  let size: PixelSize
  /// Red, green and blue of sum 1, in balanced camera values.
  private let chroma: [SIMD4<Float>]

  /// `sums`: in row order: weighted sums of balanced red, green and blue, and of weights.
  init(size: PixelSize, sums: [SIMD4<Float>]) {
    self.size = size
    let base = Level(size: size, cells: sums.map(Self.normalized))
    var levels = [base]
    while let last = levels.last, last.size.width > 1 || last.size.height > 1 {
      levels.append(last.halved())
    }
    // White where nothing at all is known.
    var filled = Level(size: PixelSize(width: 1, height: 1), cells: [SIMD4(1, 1, 1, 3) / 3])
    for level in levels.reversed() { filled = level.filled(from: filled, Self.confidence) }
    chroma = filled.cells
  }

  /// Sums of weighted values to sums of weighted chroma.
  private static func normalized(_ sum: SIMD4<Float>) -> SIMD4<Float> {
    let total = sum[0] + sum[1] + sum[2]
    guard total > 0, sum[3] > 0 else { return SIMD4(0, 0, 0, 0) }
    let scale = sum[3] / total
    return SIMD4(sum[0] * scale, sum[1] * scale, sum[2] * scale, sum[3])
  }

  /// Chroma at a pixel, between the centres of cells.
  @inline(__always)
  func chroma(x: Float, y: Float) -> SIMD4<Float> {
    let scale = 1 / Float(Self.cell)
    let u = min(max((x + 0.5) * scale - 0.5, 0), Float(size.width - 1))
    let v = min(max((y + 0.5) * scale - 0.5, 0), Float(size.height - 1))
    let column = min(Int(u), max(size.width - 2, 0))
    let row = min(Int(v), max(size.height - 2, 0))
    let right = min(column + 1, size.width - 1)
    let below = min(row + 1, size.height - 1)
    let a = u - Float(column)
    let b = v - Float(row)
    let top = chroma[row * size.width + column]
    let upper = top + (chroma[row * size.width + right] - top) * a
    let bottom = chroma[below * size.width + column]
    let lower = bottom + (chroma[below * size.width + right] - bottom) * a
    return upper + (lower - upper) * b
  }

  /// Red, green and blue chroma at eight places.
  typealias LaneChroma = [3 of Lanes]

  /// Chroma at eight pixels of a row, `step` apart.
  func chroma(x: Float, step: Float, y: Float) -> LaneChroma {
    var red = Lanes()
    var green = Lanes()
    var blue = Lanes()
    for lane in 0..<8 {
      let value = chroma(x: x + step * Float(lane), y: y)
      red[lane] = value[0]
      green[lane] = value[1]
      blue[lane] = value[2]
    }
    return [red, green, blue]
  }

  /// The same for whole pixels.
  func chroma(x: Int, step: Int, y: Int) -> LaneChroma {
    chroma(x: Float(x), step: Float(step), y: Float(y))
  }

  /// One level of the pyramid: weighted chroma and weight.
  private struct Level {
    let size: PixelSize
    var cells: [SIMD4<Float>]

    func halved() -> Level {
      let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
      var result: [SIMD4<Float>] = []
      result.reserveCapacity(half.width * half.height)
      for y in 0..<half.height {
        for x in 0..<half.width {
          var sum = SIMD4<Float>(repeating: 0)
          for row in (2 * y)..<min(2 * y + 2, size.height) {
            for column in (2 * x)..<min(2 * x + 2, size.width) {
              sum += cells[row * size.width + column]
            }
          }
          result.append(sum)
        }
      }
      return Level(size: half, cells: result)
    }

    /// Chroma of this level, with what it lacks from the coarser one's chroma.
    func filled(from coarse: Level, _ confidence: Float) -> Level {
      var result: [SIMD4<Float>] = []
      result.reserveCapacity(cells.count)
      let last = (x: coarse.size.width - 1, y: coarse.size.height - 1)
      for y in 0..<size.height {
        // Linear between centres: a quarter from the neighbour on the cell's side.
        let near = min(y / 2, last.y)
        let far = min(max(near + (y & 1 == 0 ? -1 : 1), 0), last.y)
        for x in 0..<size.width {
          let own = cells[y * size.width + x]
          let column = min(x / 2, last.x)
          let side = min(max(column + (x & 1 == 0 ? -1 : 1), 0), last.x)
          let nearRow =
            coarse.cells[near * coarse.size.width + column] * 0.75
            + coarse.cells[near * coarse.size.width + side] * 0.25
          let farRow =
            coarse.cells[far * coarse.size.width + column] * 0.75
            + coarse.cells[far * coarse.size.width + side] * 0.25
          let behind = nearRow * 0.75 + farRow * 0.25
          result.append((own + behind * confidence) / (own[3] + confidence))
        }
      }
      return Level(size: size, cells: result)
    }
  }
}
