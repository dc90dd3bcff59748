internal import Raster
internal import RawModel

/// One lane's loader: rows of stored codes to linear samples, split into even and odd columns.
struct SampleLoader: ~Copyable {
  private let plan: DevelopPlan
  private let size: PixelSize
  private let blacks: (even: SampleRow, odd: SampleRow)
  private let scratch: SampleRow
  private var codes: Plane<UInt16>

  /// Rows of scratch that it takes.
  static let scratchRowCount = 3

  /// `columns` is the widest row that is asked for, with what is read past it.
  ///
  /// - Throws: `RasterError` where memory was refused.
  init(_ plan: DevelopPlan, columns: Int, _ memory: inout ScratchMemory) throws(RasterError) {
    self.plan = plan
    size = plan.geometry.activeArea.size
    let rows = memory.take(3)
    blacks = (rows.row(0), rows.row(1))
    scratch = rows.row(2)
    codes = try Plane<UInt16>(width: columns + 32, height: 1)
  }

  /// Where a row of a mosaic goes.
  struct MosaicTarget {
    let even: SampleRow
    let odd: SampleRow
    /// The column, even, of index 0; left of the picture it is negative.
    let origin: Int
    /// Samples in each half row; those past `end` are anything.
    let count: Int
    /// Where the columns end.
    let end: Int
  }

  /// The filter colours of even and odd columns in a row of the mosaic.
  static func colors(_ pattern: CFAPattern, _ y: Int) -> (Int, Int) {
    let cell = pattern.colors
    return (cell[2 * (y & 1)], cell[2 * (y & 1) + 1])
  }

  /// Linearises row `y` of a mosaic, runs stages on it, balances it, and mirrors it beyond the picture's
  /// edges.
  ///
  /// `y` is a row of the active area, or one beyond it, which is mirrored; `isBalanced` says whether white
  /// balance follows at once.
  mutating func loadMosaic(
    _ y: Int,
    pattern: CFAPattern,
    stages: [any LineStage],
    isBalanced: Bool,
    samples: ActiveSamples,
    into target: MosaicTarget
  ) {
    let source = Mirror.index(y, count: size.height)
    let left = max(target.origin, 0)
    let right = min(target.origin + 2 * target.count, size.width)
    let start = (left - target.origin) >> 1
    let linearization = plan.linearization
    let colors = Self.colors(pattern, y)
    let gains = (linearization.gains[colors.0], linearization.gains[colors.1])
    let blacks = blacks
    let factors = isBalanced && stages.isEmpty ? gains : (1, 1)
    if unsafe samples.kind == .uint16 {
      let stored = unsafe samples.pointer(UInt16.self, row: source, index: left)
      unsafe codes.withUnsafeMutableSamples { codes in
        var row = unsafe stored
        if let table = linearization.table {
          for index in 0..<(right - left) {
            unsafe codes[index] = table[Int(stored[index])]
          }
          unsafe row = UnsafePointer(codes)
        }
        unsafe linearization.mosaicRow(
          row,
          row: source,
          first: left,
          count: right - left,
          colors: colors,
          gains: factors,
          even: target.even,
          odd: target.odd,
          start: start,
          blacks: blacks
        )
      }
    } else {
      unsafe linearization.split(
        samples,
        row: source,
        first: left,
        count: right - left,
        even: target.even,
        odd: target.odd,
        start: start
      )
      linearization.normalize(
        row: source,
        first: left,
        count: right - left,
        sample: 0,
        scales: (linearization.scales[colors.0], linearization.scales[colors.1]),
        gains: factors,
        even: target.even,
        odd: target.odd,
        start: start,
        blacks: blacks
      )
    }
    if !stages.isEmpty {
      run(stages, source, even: target.even, odd: target.odd, start: start, left..<right, 0)
      if isBalanced {
        let range = start..<(start + (right - left + 1) / 2)
        Self.balance(target.even, range, gains.0)
        Self.balance(target.odd, range, gains.1)
      }
    }
    mirror(target, left..<right)
  }

  /// Runs stages on a row that was loaded, and mirrors it again.
  func run(_ stages: [any LineStage], _ y: Int, on target: MosaicTarget) {
    let source = Mirror.index(y, count: size.height)
    let left = max(target.origin, 0)
    let right = min(target.origin + 2 * target.count, size.width)
    let start = (left - target.origin) >> 1
    run(stages, source, even: target.even, odd: target.odd, start: start, left..<right, 0)
    mirror(target, left..<right)
  }

  private func run(
    _ stages: [any LineStage],
    _ y: Int,
    even: SampleRow,
    odd: SampleRow,
    start: Int,
    _ columns: Range<Int>,
    _ sample: Int
  ) {
    let line = SampleLine(
      even: even,
      odd: odd,
      start: start,
      columns: columns,
      y: y,
      sample: sample,
      scratch: scratch
    )
    for stage in stages { stage.apply(line) }
  }

  private func mirror(_ target: MosaicTarget, _ inner: Range<Int>) {
    func sample(_ x: Int) -> SampleRow { x & 1 == 0 ? target.even : target.odd }
    func mirror(_ columns: Range<Int>) {
      for x in columns {
        let mirrored = Mirror.index(x, count: size.width)
        sample(x)[(x - target.origin) >> 1] = sample(mirrored)[(mirrored - target.origin) >> 1]
      }
    }
    if target.origin < inner.lowerBound { mirror(target.origin..<inner.lowerBound) }
    if inner.upperBound < target.end { mirror(inner.upperBound..<target.end) }
  }

  /// Multiplies samples by a white balance.
  static func balance(_ row: SampleRow, _ range: Range<Int>, _ gain: Float) {
    let gain = Lanes(repeating: gain)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      row[lanes: i] = row[lanes: i] * gain
    }
  }

  /// Linearises row `y` of a LinearRaw, runs stages on it and balances it: three colours, from `origin`,
  /// which is even, for `count` columns.
  ///
  /// The region may reach beyond the picture, where it is mirrored.
  func loadLinear(
    _ y: Int,
    planes: Int,
    origin: Int,
    count: Int,
    isBalanced: Bool,
    samples: ActiveSamples,
    even: [3 of SampleRow],
    odd: [3 of SampleRow]
  ) {
    let source = Mirror.index(y, count: size.height)
    let left = max(origin, 0)
    let right = min(origin + count, size.width)
    let start = (left - origin) >> 1
    let linearization = plan.linearization
    unsafe linearization.split(
      samples,
      planes: planes,
      row: source,
      first: left,
      count: right - left,
      even: even,
      odd: odd,
      start: start
    )
    let range = start..<(start + (right - left + 1) / 2)
    let stages = plan.lineStages
    for color in 0..<3 {
      let sample = min(color, planes - 1)
      let scale = linearization.scales[color]
      let gain = isBalanced && stages.isEmpty ? linearization.gains[color] : 1
      linearization.normalize(
        row: source,
        first: left,
        count: right - left,
        sample: sample,
        scales: (scale, scale),
        gains: (gain, gain),
        even: even[color],
        odd: odd[color],
        start: start,
        blacks: blacks
      )
      if !stages.isEmpty {
        run(stages, source, even: even[color], odd: odd[color], start: start, left..<right, sample)
      }
      if isBalanced && !stages.isEmpty {
        Self.balance(even[color], range, plan.linearization.gains[color])
        Self.balance(odd[color], range, plan.linearization.gains[color])
      }
      mirror(
        MosaicTarget(
          even: even[color],
          odd: odd[color],
          origin: origin,
          count: (count + 1) / 2,
          end: origin + count
        ),
        left..<right
      )
    }
  }
}
