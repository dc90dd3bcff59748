internal import Raster
internal import RawModel

/// Copies tiles out of a frame, with its edge repeated where they reach over it.
enum TileGathering {
  /// A tile's samples in row order.
  ///
  /// What is repeated has the same colour in a mosaic: that costs the fewest bits.
  static func gather<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ region: Region,
    of frame: borrowing Plane<Sample>,
    _ layout: SampleLayout,
    into samples: inout [Sample]
  ) {
    resize(&samples, for: region, layout)
    var output = samples.mutableSpan
    for y in region.rows {
      let row = repeated(y, length: frame.height, period: layout.period)
      gather(row: row, of: frame, region, layout, into: &output, line: y - region.top)
    }
  }

  /// Makes room for a tile's samples.
  static func resize<Sample: ExpressibleByIntegerLiteral>(
    _ samples: inout [Sample],
    for region: Region,
    _ layout: SampleLayout
  ) {
    let count = region.width * layout.samplesPerPixel * region.height
    if samples.count != count { samples = [Sample](repeating: 0, count: count) }
  }

  /// Copies what a tile has of row `row` of the frame to one of the tile's lines.
  ///
  /// Where the tile reaches over the frame to the right the last samples are repeated.
  static func gather<Sample: BitwiseCopyable>(
    row: Int,
    of frame: borrowing Plane<Sample>,
    _ region: Region,
    _ layout: SampleLayout,
    into output: inout MutableSpan<Sample>,
    line: Int
  ) {
    let planes = layout.samplesPerPixel
    let frameWidth = frame.width / planes
    let columns = region.left..<min(region.right, frameWidth)
    let start = line * region.width * planes
    frame.withRow(row) { row in
      let inside = row.extracting(columns.lowerBound * planes..<columns.upperBound * planes)
      copy(inside, into: &output, at: start)
      for x in columns.upperBound..<max(columns.upperBound, region.right) {
        let source = repeated(x, length: frameWidth, period: layout.period)
        let target = start + (x - region.left) * planes
        for plane in 0..<planes { output[target + plane] = row[source * planes + plane] }
      }
    }
  }

  /// Codes the tiles of a frame on the scheduler's lanes: `code` makes a segment of a tile's samples.
  static func segments<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral & Sendable>(
    of frame: borrowing Plane<Sample>,
    _ layout: SampleLayout,
    _ tiling: DNGTiling,
    scheduler: TileScheduler,
    code: (_ samples: [Sample], _ region: Region) throws(DNGWritingError) -> [UInt8]
  ) throws(DNGWritingError) -> [[UInt8]] {
    let results = IndexedResults<[UInt8]>(count: tiling.count)
    func codeTile(_ index: Int, _ lane: inout [Sample]) throws(DNGWritingError) {
      let region = tiling.region(index)
      gather(region, of: frame, layout, into: &lane)
      results.set(try code(lane, region), at: index)
    }
    func makeLane() throws(DNGWritingError) -> [Sample] { [] }
    try scheduler.forEach(count: tiling.count, laneState: makeLane, body: codeTile)
    return results.all()
  }

  /// The position itself, or the last one of the same phase within `length` (the very last, if a side
  /// is shorter than the period).
  static func repeated(_ position: Int, length: Int, period: Int) -> Int {
    guard position >= length else { return position }
    let last = length - 1
    guard length >= period else { return last }
    return last - ((last - position) % period + period) % period
  }
}

extension SampleLayout {
  /// Columns and rows after which colours repeat, in most arrays.
  fileprivate var period: Int { isFiltered ? 2 : 1 }
}

/// Copies samples to `output` from `start` on.
private func copy<Sample: BitwiseCopyable>(
  _ source: Span<Sample>,
  into output: inout MutableSpan<Sample>,
  at start: Int
) {
  let stride = MemoryLayout<Sample>.stride
  // The slice is checked to lie within `output` and has as many bytes as `source`.
  unsafe output.withUnsafeMutableBytes { output in
    let target = unsafe output[stride * start..<stride * (start + source.count)]
    unsafe source.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: source)
    }
  }
}
