internal import ColorScience
internal import DNGFormat
internal import Raster
internal import RawModel

/// Compares the samples of two frames of one shape, row by row, in order.
///
/// Samples are compared as linear codes. Where the two files have other black or white levels, the
/// second's codes are brought to the first's range: (code - black) / (white - highest black) means the
/// same light in both.
struct SampleComparator {
  private let first: RawDescription
  private let second: RawDescription
  private let firstDecoding: SampleDecoding
  private let secondDecoding: SampleDecoding
  /// The range of each sample of a pixel, in linear codes; not 0.
  private let firstRanges: [Double]
  private let secondRanges: [Double]
  private let noise: RawNoise
  private let hasSameLevels: Bool
  private let hasSameMeaning: Bool

  /// What was added up so far.
  private struct Sums {
    var differing: Int64 = 0
    var areStoredSamplesEqual = true
    var worst = 0.0
    var worstVariances = 0.0
    var worstHalfSteps = 0.0
    var squares = 0.0
    var variances = 0.0
    var ranges = 0.0
  }

  init(_ first: RawDescription, _ second: RawDescription) {
    self.first = first
    self.second = second
    noise = RawNoise(first)
    firstDecoding = SampleDecoding(first)
    secondDecoding = SampleDecoding(second)
    firstRanges = Self.ranges(first)
    secondRanges = Self.ranges(second)
    hasSameLevels =
      first.blackLevel == second.blackLevel && first.whiteLevel == second.whiteLevel
      && first.activeArea == second.activeArea
    hasSameMeaning = hasSameLevels && first.linearizationTable == second.linearizationTable
  }

  func compare(_ left: borrowing RawFrame, _ right: borrowing RawFrame) -> SampleComparison {
    var sums = Sums()
    let height = first.size.height
    for y in 0..<height {
      let isSame = left.hasSameRow(y, as: right)
      if !isSame { sums.areStoredSamplesEqual = false }
      if isSame, hasSameMeaning { continue }
      // One sum a row, added in order: the result depends on nothing else.
      let row = compareRow(
        y,
        left.samples.values(ofRow: y),
        right.samples.values(ofRow: y)
      )
      add(row, to: &sums)
    }
    let count = Int64(height) * Int64(first.size.width * first.layout.samplesPerPixel)
    let mean = { (sum: Double) in count == 0 ? 0 : sum / Double(count) }
    return SampleComparison(
      count: count,
      differing: sums.differing,
      areStoredSamplesEqual: sums.areStoredSamplesEqual,
      worstCodes: sums.worst,
      rmsCodes: mean(sums.squares).squareRoot(),
      worstSigma: sums.worstVariances.squareRoot(),
      rmsSigma: mean(sums.variances).squareRoot(),
      worstHalfSteps: sums.worstHalfSteps,
      psnr: sums.ranges > 0
        ? -10 * PortableMath.log2(mean(sums.ranges)) / PortableMath.log2(10) : nil
    )
  }

  private func add(_ row: Sums, to sums: inout Sums) {
    sums.differing += row.differing
    sums.worst = max(sums.worst, row.worst)
    sums.worstVariances = max(sums.worstVariances, row.worstVariances)
    sums.worstHalfSteps = max(sums.worstHalfSteps, row.worstHalfSteps)
    sums.squares += row.squares
    sums.variances += row.variances
    sums.ranges += row.ranges
  }

  private func compareRow(_ y: Int, _ left: [Double], _ right: [Double]) -> Sums {
    var sums = Sums()
    let leftLinear = firstDecoding.linear(left)
    let rightLinear = secondDecoding.linear(right)
    let planes = first.layout.samplesPerPixel
    for index in left.indices {
      let value = leftLinear[index]
      // The levels matter only where something differs, or may.
      if hasSameLevels, value == rightLinear[index] { continue }
      let (column, plane) = index.quotientAndRemainder(dividingBy: planes)
      let black = first.black(row: y, column: column, sample: plane)
      let range = firstRanges[plane]
      var scale = 1.0
      var other = rightLinear[index]
      if !hasSameLevels {
        let otherBlack = second.black(row: y, column: column, sample: plane)
        scale = range / secondRanges[plane]
        other = (other - otherBlack) * scale + black
      }
      if value.isNaN, other.isNaN { continue }
      let error = abs(value - other)
      guard error.isFinite else {
        // No number is that far away; the sums could hold it no more.
        sums.differing += 1
        sums.worst = .greatestFiniteMagnitude
        sums.worstHalfSteps = .greatestFiniteMagnitude
        continue
      }
      // Levels of other units may bring the same light to numbers that differ by a rounding.
      if error <= abs(value) * 1e-12 { continue }
      sums.differing += 1
      sums.worst = max(sums.worst, error)
      sums.squares += error * error
      let relative = error / range
      sums.ranges += relative * relative
      let light = (value - black) / range
      let variance = noise.variance(at: light, color: color(y, column, plane))
      let variances = relative * relative / variance
      sums.variances += variances
      sums.worstVariances = max(sums.worstVariances, variances)
      let halfStep = secondDecoding.halfStep(right[index], isUp: value > other) * abs(scale)
      let halfSteps = halfStep > 0 ? error / halfStep : .greatestFiniteMagnitude
      sums.worstHalfSteps = max(sums.worstHalfSteps, halfSteps)
    }
    return sums
  }

  private static func ranges(_ description: RawDescription) -> [Double] {
    (0..<description.layout.samplesPerPixel).map { sample in
      let range = description.range(sample: sample)
      return range == 0 || !range.isFinite ? 1 : range
    }
  }

  /// The plane of a sample: of a Bayer mosaic 0 red, 1 green, 2 blue.
  private func color(_ y: Int, _ column: Int, _ plane: Int) -> Int {
    let row = y - first.activeArea.top
    let column = column - first.activeArea.left
    switch first.layout {
    case .linear: return plane
    // Parity alone counts, on either side of the active area's corner.
    case .mosaic(let pattern): return pattern.colors[(row & 1) * 2 + (column & 1)]
    case .array(let array): return array.plane(row: row, column: column)
    }
  }
}
