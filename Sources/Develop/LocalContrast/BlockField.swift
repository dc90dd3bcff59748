internal import Raster

/// The guided filter of a picture's log luminance by itself, on the blocks of its analysis.
///
/// At a place `base = slope x l + offset`, slope and offset being interpolated between blocks.
struct BlockField: Sendable {
  /// Variance of detail, in squares of powers of two.
  static let epsilon: Float = 1.0 / 16
  /// The radius is the shorter side over this.
  static let radiusShare = 30

  private let size: PixelSize
  private let slopes: [Float]
  private let offsets: [Float]

  init(_ analysis: PictureAnalysis, floor: Float) {
    let size = analysis.size
    self.size = size
    var levels: [Float] = []
    levels.reserveCapacity(analysis.blocks.count + 8)
    for first in stride(from: 0, to: analysis.blocks.count, by: 8) {
      var red = Lanes()
      var green = Lanes()
      var blue = Lanes()
      for lane in 0..<min(8, analysis.blocks.count - first) {
        let mean = analysis.blocks[first + lane].mean
        red[lane] = mean.x
        green[lane] = mean.y
        blue[lane] = mean.z
      }
      let logarithm = LocalContrastStage.logarithm(red, green, blue)
      for lane in 0..<min(8, analysis.blocks.count - first) { levels.append(logarithm[lane]) }
    }
    let radius = max(min(size.width, size.height) / Self.radiusShare, 1)
    let means = Self.means(levels, size, radius)
    let squares = Self.means(levels.map { $0 * $0 }, size, radius)
    var slopes: [Float] = []
    var offsets: [Float] = []
    for (mean, square) in zip(means, squares) {
      let variance = max(square - mean * mean, 0)
      let slope = variance / (variance + Self.epsilon)
      slopes.append(slope)
      offsets.append(mean - slope * mean)
    }
    self.slopes = Self.means(slopes, size, radius)
    self.offsets = Self.means(offsets, size, radius)
  }

  /// Means over squares of `2 radius + 1` blocks, of those that are in the picture, by running sums.
  private static func means(_ values: [Float], _ size: PixelSize, _ radius: Int) -> [Float] {
    var rows = [Double](repeating: 0, count: values.count)
    for y in 0..<size.height {
      let start = y * size.width
      var sum = 0.0
      for x in 0..<min(radius, size.width) { sum += Double(values[start + x]) }
      for x in 0..<size.width {
        if x + radius < size.width { sum += Double(values[start + x + radius]) }
        if x > radius { sum -= Double(values[start + x - radius - 1]) }
        let count = min(x + radius, size.width - 1) - max(x - radius, 0) + 1
        rows[start + x] = sum / Double(count)
      }
    }
    var result = [Float](repeating: 0, count: values.count)
    var sums = [Double](repeating: 0, count: size.width)
    func add(_ y: Int, _ sign: Double) {
      for x in 0..<size.width { sums[x] += sign * rows[y * size.width + x] }
    }
    for y in 0..<min(radius, size.height) { add(y, 1) }
    for y in 0..<size.height {
      if y + radius < size.height { add(y + radius, 1) }
      if y > radius { add(y - radius - 1, -1) }
      let count = Double(min(y + radius, size.height - 1) - max(y - radius, 0) + 1)
      for x in 0..<size.width { result[y * size.width + x] = Float(sums[x] / count) }
    }
    return result
  }

  /// Slope and offset at the pixels of a row, into its scratch rows 2 and 3.
  func interpolate(_ row: PixelRow) {
    let block = Double(PictureAnalysis.blockSize)
    let last = size.height - 1
    let v = min(max((row.place.y + 0.5) / block - 0.5, 0), Double(last))
    let upper = Int(v)
    let lower = min(upper + 1, last)
    let way = Float(v - Double(upper))
    let first = Int(((row.place.x(row.range.lowerBound) + 0.5) / block - 0.5).rounded(.down))
    let end = Int(((row.place.x(row.range.upperBound + 7) + 0.5) / block - 0.5).rounded(.down)) + 3
    // Index 0 of the rows between is block `first`; blocks beyond the picture are those at its edge.
    for block in first..<end {
      let column = min(max(block, 0), size.width - 1)
      let above = upper * size.width + column
      let below = lower * size.width + column
      row.scratch.row(0)[block - first] = slopes[above] + (slopes[below] - slopes[above]) * way
      row.scratch.row(1)[block - first] = offsets[above] + (offsets[below] - offsets[above]) * way
    }
    for number in 0..<2 {
      spread(row.scratch.row(number), from: first, to: end, row, into: row.scratch.row(number + 2))
    }
  }

  /// From blocks to pixels, linearly between centres.
  private func spread(
    _ blocks: SampleRow,
    from first: Int,
    to end: Int,
    _ row: PixelRow,
    into result: SampleRow
  ) {
    let block = PictureAnalysis.blockSize
    let x = row.place.x
    let isWhole = x == x.rounded() && x.magnitude < 1e9
    guard isWhole && (row.place.step == 1 || row.place.step == 2) else {
      for i in row.range.lowerBound..<(row.range.upperBound + 7) {
        let u = (row.place.x(i) + 0.5) / Double(block) - 0.5
        let column = Int(u.rounded(.down))
        let start = blocks[column - first]
        result[i] = start + (blocks[column - first + 1] - start) * Float(u - Double(column))
      }
      return
    }
    // Eight pixels lie between two centres, or four of every second column.
    let origin = Int(x)
    if row.place.step == 1 {
      let steps = Lanes(1, 3, 5, 7, 9, 11, 13, 15) * (1.0 / 16)
      for column in first..<(end - 1) {
        let start = blocks[column - first]
        let change = blocks[column - first + 1] - start
        let index = column * block + block / 2 - origin
        result[lanes: index] = Lanes(repeating: start) + Lanes(repeating: change) * steps
      }
    } else {
      let parity = origin & 1
      let steps = (SIMD4<Float>(1, 5, 9, 13) + Float(2 * parity)) * (1.0 / 16)
      for column in stride(from: first, to: end - 1, by: 2) {
        let a = blocks[column - first]
        let b = blocks[column - first + 1]
        let c = blocks[column - first + 2]
        let low = SIMD4(repeating: a) + SIMD4(repeating: b - a) * steps
        let high = SIMD4(repeating: b) + SIMD4(repeating: c - b) * steps
        let index = (column * block + block / 2 + parity - origin) / 2
        result[lanes: index] = Lanes(lowHalf: low, highHalf: high)
      }
    }
  }
}
