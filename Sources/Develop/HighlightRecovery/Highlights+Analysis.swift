internal import Raster
internal import RawModel

extension Highlights {
  /// Looks for clipped samples and, where there are any, at the colours around them.
  ///
  /// Samples are seen after the line stages. A picture without clipped ones costs a search for the largest
  /// code.
  ///
  /// - Returns: Nil where nothing is clipped.
  static func of(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    scheduler: TileScheduler
  ) throws(RasterError) -> Highlights? {
    let area = plan.geometry.activeArea.size
    let size = PixelSize(
      width: (area.width + square - 1) / square,
      height: (area.height + square - 1) / square
    )
    let clipped = try unsafe clippedSquares(samples, plan: plan, size: size, scheduler: scheduler)
    guard clipped.contains(true) else { return nil }
    let near = grown(clipped, size)
    let cells = PixelSize(
      width: (area.width + HighlightField.cell - 1) / HighlightField.cell,
      height: (area.height + HighlightField.cell - 1) / HighlightField.cell
    )
    var sums = try Plane<SIMD4<Float>>(width: cells.width, height: cells.height)
    try sums.withTileWriter { (writer) throws(RasterError) in
      try scheduler.forEach(
        count: cells.height,
        laneState: { () throws(RasterError) in try ChromaLane(plan) },
        body: { (row, lane) throws(RasterError) in
          let squareRow = row * HighlightField.cell / square
          writer.withRow(row, columns: 0..<cells.width) { cells in
            unsafe lane.sum(
              row,
              near: near[(squareRow * size.width)..<((squareRow + 1) * size.width)],
              samples: samples,
              into: &cells
            )
          }
        }
      )
    }
    var values: [SIMD4<Float>] = []
    values.reserveCapacity(cells.width * cells.height)
    for y in 0..<cells.height {
      sums.withRow(y) { row in
        for x in row.indices { values.append(row[x]) }
      }
    }
    return Highlights(
      size: size,
      clipped: clipped,
      field: HighlightField(size: cells, sums: values)
    )
  }

  /// Squares with a clipped one among themselves and their eight neighbours.
  private static func grown(_ clipped: [Bool], _ size: PixelSize) -> [Bool] {
    var result = clipped
    for y in 0..<size.height {
      for x in 0..<size.width where clipped[y * size.width + x] {
        for row in max(y - 1, 0)...min(y + 1, size.height - 1) {
          for column in max(x - 1, 0)...min(x + 1, size.width - 1) {
            result[row * size.width + column] = true
          }
        }
      }
    }
    return result
  }

  /// Squares with a code that may be at or over the level from which samples count as clipped.
  private static func clippedSquares(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    size: PixelSize,
    scheduler: TileScheduler
  ) throws(RasterError) -> [Bool] {
    // Stages before may raise any sample to the limit.
    guard plan.lineStages.isEmpty,
      let threshold = plan.linearization.lowestCode(reaching: HighlightReconstruction.start)
    else { return Array(repeating: true, count: size.width * size.height) }
    return switch unsafe samples.kind {
    case .uint16:
      try unsafe squares(samples, plan: plan, size: size, scheduler: scheduler) { codes, count in
        unsafe isAny(codes, count, atLeast: UInt16(min(max(threshold, 0), 65_535)))
      }
    case .uint32:
      try unsafe squares(samples, plan: plan, size: size, scheduler: scheduler) { codes, count in
        unsafe isAny(codes, count, atLeast: UInt32(min(max(threshold, 0), 0xFFFF_FFFF)))
      }
    case .float32:
      try unsafe squares(samples, plan: plan, size: size, scheduler: scheduler) { codes, count in
        unsafe isAny(codes, count, atLeast: Float(threshold))
      }
    }
  }

  /// Squares with codes of which `isAny` says so; it is given those of a row.
  private static func squares<Sample>(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    size: PixelSize,
    scheduler: TileScheduler,
    _ isAny: @Sendable (UnsafePointer<Sample>, Int) -> Bool
  ) throws(RasterError) -> [Bool] {
    let area = plan.geometry.activeArea.size
    let perPixel = plan.layout.samplesPerPixel
    var flags = try Plane<UInt8>(width: size.width, height: size.height)
    try flags.withTileWriter { (writer) throws(RasterError) in
      try scheduler.forEach(
        count: size.height,
        laneState: { () throws(RasterError) in () },
        body: { (row, _) throws(RasterError) in
          writer.withRow(row, columns: 0..<size.width) { flags in
            for y in (row * square)..<min((row + 1) * square, area.height) {
              for column in flags.indices where flags[column] == 0 {
                let left = column * square
                let codes = unsafe samples.pointer(Sample.self, row: y, index: left * perPixel)
                let count = (min(left + square, area.width) - left) * perPixel
                if unsafe isAny(codes, count) { flags[column] = 1 }
              }
            }
          }
        }
      )
    }
    var result: [Bool] = []
    for y in 0..<size.height {
      flags.withRow(y) { row in
        for x in row.indices { result.append(row[x] != 0) }
      }
    }
    return result
  }

  private static func isAny<Sample: Comparable>(
    _ codes: UnsafePointer<Sample>,
    _ count: Int,
    atLeast threshold: Sample
  ) -> Bool {
    for index in 0..<count where unsafe codes[index] >= threshold { return true }
    return false
  }

  private static func isAny(_ codes: UnsafePointer<UInt16>, _ count: Int, atLeast threshold: UInt16)
    -> Bool
  {
    var largest = SIMD16<UInt16>(repeating: 0)
    var index = 0
    while index + 16 <= count {
      // Within the row, by the condition.
      let some = unsafe UnsafeRawPointer(codes + index).loadUnaligned(as: SIMD16<UInt16>.self)
      largest.replace(with: some, where: some .> largest)
      index += 16
    }
    var rest: UInt16 = 0
    while index < count {
      rest = unsafe max(rest, codes[index])
      index += 1
    }
    return max(largest.max(), rest) >= threshold
  }
}

/// One lane: loads rows and sums the colours of cells.
private struct ChromaLane: ~Copyable {
  private let plan: DevelopPlan
  private var memory: ScratchMemory
  private var loader: SampleLoader
  /// Even and odd columns of each colour, of an even row and of the row below.
  private let even: [2 of [3 of SampleRow]]
  private let odd: [2 of [3 of SampleRow]]

  init(_ plan: DevelopPlan) throws(RasterError) {
    let columns = plan.geometry.activeArea.width + 2 * HighlightField.cell + 33
    var memory = try ScratchMemory(
      rowCount: 12 + SampleLoader.scratchRowCount,
      samples: columns / 2 + 1
    )
    let rows = memory.take(12)
    // What can throw comes before the first field: a partly made value could not be destroyed.
    let loader = try SampleLoader(plan, columns: columns, &memory)
    even = [
      [rows.row(0), rows.row(1), rows.row(2)], [rows.row(3), rows.row(4), rows.row(5)],
    ]
    odd = [
      [rows.row(6), rows.row(7), rows.row(8)], [rows.row(9), rows.row(10), rows.row(11)],
    ]
    self.loader = loader
    self.memory = memory
    self.plan = plan
  }

  /// Sums row `row` of cells, where `near` says so.
  mutating func sum(
    _ row: Int,
    near: ArraySlice<Bool>,
    samples: ActiveSamples,
    into cells: inout MutableSpan<SIMD4<Float>>
  ) {
    let perSquare = Highlights.square / HighlightField.cell
    var square = 0
    while square < near.count {
      guard near[near.startIndex + square] else {
        square += 1
        continue
      }
      var end = square
      while end < near.count && near[near.startIndex + end] { end += 1 }
      let columns = (square * perSquare)..<min(end * perSquare, cells.count)
      for y in stride(from: 0, to: HighlightField.cell, by: 2) {
        unsafe addRows(row * HighlightField.cell + y, columns, samples: samples, into: &cells)
      }
      square = end
    }
  }

  /// Adds two rows of pixels to cells.
  private mutating func addRows(
    _ y: Int,
    _ columns: Range<Int>,
    samples: ActiveSamples,
    into cells: inout MutableSpan<SIMD4<Float>>
  ) {
    let origin = columns.lowerBound * HighlightField.cell
    let width = columns.count * HighlightField.cell
    let gains = plan.linearization.gains
    switch plan.layout {
    case .mosaic(let pattern):
      for side in 0..<2 {
        unsafe loader.loadMosaic(
          y + side,
          pattern: pattern,
          stages: plan.lineStages,
          isBalanced: false,
          samples: samples,
          into: SampleLoader.MosaicTarget(
            even: even[side][0],
            odd: odd[side][0],
            origin: origin,
            count: width / 2,
            end: origin + width
          )
        )
      }
      let cell = pattern.colors
      for column in columns {
        // Eight quads make a cell's width.
        let i = (column - columns.lowerBound) * HighlightField.cell / 2
        let quad: [4 of Lanes] = [
          even[0][0][lanes: i], odd[0][0][lanes: i], even[1][0][lanes: i], odd[1][0][lanes: i],
        ]
        var colors: [3 of Lanes] = [Lanes(), Lanes(), Lanes()]
        var largest: [3 of Lanes] = [Lanes(), Lanes(), Lanes()]
        for place in 0..<4 {
          // Two greens make one.
          colors[cell[place]] += quad[place] * (cell[place] == 1 ? 0.5 : 1)
          largest[cell[place]] = largest[cell[place]].maximum(quad[place])
        }
        cells[column] += Self.sum(colors, largest: largest, gains: gains)
      }
    case .array: preconditionFailure("other filter arrays are refused before")
    case .linear:
      for side in 0..<2 {
        unsafe loader.loadLinear(
          y + side,
          planes: 3,
          origin: origin,
          count: width,
          isBalanced: false,
          samples: samples,
          even: even[side],
          odd: odd[side]
        )
      }
      for column in columns {
        let i = (column - columns.lowerBound) * HighlightField.cell / 2
        for side in 0..<2 {
          for rows in [even[side], odd[side]] {
            let colors: [3 of Lanes] = [rows[0][lanes: i], rows[1][lanes: i], rows[2][lanes: i]]
            cells[column] += Self.sum(colors, largest: colors, gains: gains)
          }
        }
      }
    }
  }

  /// Weighted balanced colours and weights of those of eight places that are not clipped; the brightest
  /// count most, as they are of what is clipped beside them.
  ///
  /// Where green alone is clipped, as in bright clouds, it is taken as the geometric mean of red and blue: what
  /// lies on the line of black bodies and daylight has about that much. A place where that is under green's clip
  /// level is of another colour and does not count.
  private static func sum(
    _ colors: [3 of Lanes],
    largest: [3 of Lanes],
    gains: [Float]
  ) -> SIMD4<Float> {
    let limit = Lanes(repeating: HighlightReconstruction.end)
    let others = largest[0].maximum(largest[2])
    let isGreenClipped = largest[1] .>= limit
    let red = colors[0] * gains[0]
    let green = colors[1] * gains[1]
    let blue = colors[2] * gains[2]
    let mean = (red * blue).portableSquareRoot
    let isLight = ((mean / green.maximum(limit) - 0.9) * 10).smoothStep
    let level = others.maximum(largest[1]).replacing(with: others, where: isGreenClipped)
    let square = level * level
    let fourth = square * square
    let weight = (fourth * fourth)
      .replacing(with: fourth * fourth * isLight, where: isGreenClipped)
      .replacing(with: Lanes(repeating: 0), where: others .>= limit)
    return SIMD4(
      (red * weight).sum(),
      (green.replacing(with: green.maximum(mean), where: isGreenClipped) * weight).sum(),
      (blue * weight).sum(),
      weight.sum()
    )
  }
}
