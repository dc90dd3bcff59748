internal import Raster
internal import RawModel

/// The whole picture at low resolution, made in a pass of its own before the first tile.
///
/// The active area in blocks of `blockSize` pixels, from its corner; the last ones of rows and columns
/// take what is left over. A block's sums are taken row by row, whatever the tiles and lanes, so that the result
/// is always the same. It sees samples after the line stages (OpcodeList2 without bad pixels) and before
/// the stages that look at neighbours.
struct PictureAnalysis: Sendable {
  /// Pixels of the active area along a block's side.
  static let blockSize = 8
  /// Samples at or over this share of white count as clipped.
  static let clipLevel: Float = 0.99

  let size: PixelSize
  /// In row order.
  let blocks: [Block]

  /// One block: of red, green and blue.
  struct Block: Equatable, BitwiseCopyable, Sendable {
    /// Mean of all samples, balanced.
    var mean: SIMD3<Float> = .zero
    /// Share of samples that are clipped, 0 to 1.
    var clipped: SIMD3<Float> = .zero
  }

  /// A block; those beyond the picture are the nearest ones within.
  subscript(column: Int, row: Int) -> Block {
    let x = min(max(column, 0), size.width - 1)
    let y = min(max(row, 0), size.height - 1)
    return blocks[y * size.width + x]
  }
}

extension PictureAnalysis {
  /// Looks at the whole active area.
  ///
  /// - Throws: `RasterError` where memory was refused.
  static func of(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    scheduler: TileScheduler
  ) throws(RasterError) -> PictureAnalysis {
    let area = plan.geometry.activeArea.size
    let size = PixelSize(
      width: max(area.width / blockSize, 1),
      height: max(area.height / blockSize, 1)
    )
    var plane = try Plane<Block>(width: size.width, height: size.height)
    try plane.withTileWriter { (writer) throws(RasterError) in
      try scheduler.forEach(
        count: size.height,
        laneState: { () throws(RasterError) in try AnalysisLane(plan, blockCount: size.width) },
        body: { (row, lane) throws(RasterError) in
          let end = row == size.height - 1 ? area.height : (row + 1) * blockSize
          writer.withRow(row, columns: 0..<size.width) { blocks in
            unsafe lane.sum(row * blockSize..<end, samples: samples, into: &blocks)
          }
        }
      )
    }
    var blocks: [Block] = []
    blocks.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      plane.withRow(y) { row in
        for x in row.indices { blocks.append(row[x]) }
      }
    }
    return PictureAnalysis(size: size, blocks: blocks)
  }
}

/// One lane of the analysis: loads the rows of a row of blocks and sums them.
private struct AnalysisLane: ~Copyable {
  private let plan: DevelopPlan
  private var memory: ScratchMemory
  private var loader: SampleLoader
  private let even: [3 of SampleRow]
  private let odd: [3 of SampleRow]
  private var sums: [Sums]

  private struct Sums {
    var light = SIMD3<Float>.zero
    var clipped = SIMD3<Float>.zero
    var count = SIMD3<Float>.zero
  }

  init(_ plan: DevelopPlan, blockCount: Int) throws(RasterError) {
    let columns = plan.geometry.activeArea.width + 33
    var memory = try ScratchMemory(
      rowCount: 6 + SampleLoader.scratchRowCount,
      samples: columns / 2 + 1
    )
    let rows = memory.take(6)
    let loader = try SampleLoader(plan, columns: columns, &memory)
    even = [rows.row(0), rows.row(1), rows.row(2)]
    odd = [rows.row(3), rows.row(4), rows.row(5)]
    self.loader = loader
    self.memory = memory
    self.plan = plan
    sums = Array(repeating: Sums(), count: blockCount)
  }

  /// Sums the rows `rows` of the active area.
  mutating func sum(
    _ rows: Range<Int>,
    samples: ActiveSamples,
    into blocks: inout MutableSpan<PictureAnalysis.Block>
  ) {
    let width = plan.geometry.activeArea.width
    for index in sums.indices { sums[index] = Sums() }
    let lines = plan.lineStages
    for y in rows {
      switch plan.layout {
      case .mosaic(let pattern):
        unsafe loader.loadMosaic(
          y,
          pattern: pattern,
          stages: lines,
          isBalanced: false,
          samples: samples,
          into: SampleLoader.MosaicTarget(
            even: even[0],
            odd: odd[0],
            origin: 0,
            count: (width + 1) / 2,
            end: width
          )
        )
        let colors = SampleLoader.colors(pattern, y)
        add(even[0], color: colors.0, count: (width + 1) / 2)
        add(odd[0], color: colors.1, count: width / 2)
      case .array: preconditionFailure("other filter arrays are refused before")
      case .linear(let planes):
        unsafe loader.loadLinear(
          y,
          planes: planes,
          origin: 0,
          count: width,
          isBalanced: false,
          samples: samples,
          even: even,
          odd: odd
        )
        for color in 0..<3 {
          add(even[color], color: color, count: (width + 1) / 2)
          add(odd[color], color: color, count: width / 2)
        }
      }
    }
    let gains = plan.linearization.gains
    let balance = SIMD3(gains[0], gains[1], gains[2])
    for index in sums.indices {
      let count = sums[index].count.clamped(
        lowerBound: SIMD3(repeating: 1),
        upperBound: SIMD3(repeating: .infinity)
      )
      blocks[index] = PictureAnalysis.Block(
        mean: sums[index].light / count * balance,
        clipped: sums[index].clipped / count
      )
    }
  }

  /// Adds half a row to the blocks.
  private mutating func add(_ samples: SampleRow, color: Int, count: Int) {
    let half = PictureAnalysis.blockSize / 2
    let last = sums.count - 1
    for index in 0...last {
      let end = index == last ? count : min((index + 1) * half, count)
      let range = min(index * half, end)..<end
      var light: Float = 0
      var clipped: Float = 0
      for i in range {
        light += samples[i]
        if samples[i] >= PictureAnalysis.clipLevel { clipped += 1 }
      }
      sums[index].light[color] += light
      sums[index].clipped[color] += clipped
      sums[index].count[color] += Float(range.count)
    }
  }
}
