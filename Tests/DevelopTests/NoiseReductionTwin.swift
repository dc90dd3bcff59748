import ColorScience
import Develop

/// Noise reduction, naively in double precision over whole pictures: the twin of `NoiseReductionStage`.
struct NoiseReductionTwin {
  var luminance: Double
  var color: Double
  var noise: NoiseModel
  /// Of luma's three scales, and of both colour differences.
  var lumaVariances: [Double]
  var chromaVariances: [Double]

  private func stabilized(_ x: Double, _ channel: Int) -> Double {
    let s = noise.slope[channel]
    let o = noise.offset[channel]
    return 2 / s * max(s * x + 0.375 * s * s + o, 0).squareRoot()
  }

  private func restored(_ d: Double, _ channel: Int) -> Double {
    let s = noise.slope[channel]
    let o = noise.offset[channel]
    let algebraic = s * (d * d / 4 - 0.375) - o / s
    // The exact unbiased inverse less the algebraic one, in closed form.
    let e = max(d, 1)
    let root = 1.5.squareRoot()
    let bias = 0.25 + root / 4 / e - 11.0 / 8 / (e * e) + 5 * root / 8 / (e * e * e)
    return algebraic + s * bias * (luminance / 2 + color / 2)
  }

  func reduce(_ picture: PlaneArrays) -> PlaneArrays {
    let width = picture.width
    let height = picture.height
    func sample(_ channel: Int, _ x: Int, _ y: Int) -> Double {
      let index = MirroredField.index(y, height) * width + MirroredField.index(x, width)
      return stabilized(Double(picture.colors[channel][index]), channel)
    }
    let margin = 40
    let c1 = MirroredField(width, height, margin: margin) { sample(0, $0, $1) - sample(1, $0, $1) }
    let c2 = MirroredField(width, height, margin: margin) { sample(2, $0, $1) - sample(1, $0, $1) }
    let y = MirroredField(width, height, margin: margin) {
      (sample(0, $0, $1) + 2 * sample(1, $0, $1) + sample(2, $0, $1)) / 4
    }
    let luma = shrunk(y)
    let filters = chroma(y, [c1, c2])
    var result = picture
    for row in 0..<height {
      for column in 0..<width {
        let light = luma[row * width + column]
        var values = [c1[column, row], c2[column, row]]
        if color > 0 {
          let filter = filters(column, row)
          for index in 0..<2 {
            let filtered = filter[2 * index] * light + filter[2 * index + 1]
            values[index] += (filtered - values[index]) * filter[4] * color
          }
        }
        let green = light - (values[0] + values[1]) / 4
        let at = row * width + column
        result.colors[0][at] = Float(restored(green + values[0], 0))
        result.colors[1][at] = Float(restored(green, 1))
        result.colors[2][at] = Float(restored(green + values[1], 2))
      }
    }
    return result
  }

  /// Luma with its wavelet coefficients shrunk.
  private func shrunk(_ luma: MirroredField) -> [Double] {
    let margins = [20, 16, 8]
    var fine = luma
    var result = (0..<(luma.width * luma.height)).map { luma[$0 % luma.width, $0 / luma.width] }
    for scale in 0..<3 {
      let coarse = fine.smoothed(step: 1 << scale, margin: margins[scale])
      let squares = MirroredField(luma.width, luma.height, margin: margins[scale]) { x, y in
        (fine[x, y] - coarse[x, y]) * (fine[x, y] - coarse[x, y])
      }
      let power = squares.smoothed(step: 1 << scale, margin: 0)
      let variance = lumaVariances[scale]
      for index in result.indices {
        let (x, y) = (index % luma.width, index / luma.width)
        let d = fine[x, y] - coarse[x, y]
        // Without the coefficient itself, whose weight is 9 / 64.
        let around = (power[x, y] - d * d * 9 / 64) / (1 - 9.0 / 64)
        let certainty = TwinFormula.smoothStep((around / variance - 2.5) / 3.5)
        let signal = max((around - variance) * certainty, 0.04 * variance).squareRoot()
        let threshold = 2 * luminance * variance / signal
        result[index] -= d.magnitude <= threshold ? d : (d > 0 ? threshold : -threshold)
      }
      fine = coarse
    }
    return result
  }

  /// Slope and offset of both colour differences and the filter's share, at a pixel.
  private func chroma(_ luma: MirroredField, _ colors: [MirroredField]) -> (Int, Int) -> [Double] {
    func cells(_ field: MirroredField) -> (Int, Int) -> Double {
      { column, row in
        var sum = 0.0
        for y in 0..<4 {
          for x in 0..<4 { sum += field[4 * column + x, 4 * row + y] }
        }
        return sum / 16
      }
    }
    let guide = cells(luma)
    let values = colors.map(cells)
    func mean(_ column: Int, _ row: Int, _ value: (Int, Int) -> Double) -> Double {
      var sum = 0.0
      for y in -3...3 {
        for x in -3...3 { sum += value(column + x, row + y) }
      }
      return sum / 49
    }
    func filter(_ column: Int, _ row: Int) -> [Double] {
      let m = mean(column, row, guide)
      let variance = mean(column, row) { guide($0, $1) * guide($0, $1) } - m * m
      var result: [Double] = []
      var excess = -Double.infinity
      for (index, value) in values.enumerated() {
        let c = mean(column, row, value)
        let square = mean(column, row) { value($0, $1) * value($0, $1) } - c * c
        let covariance = mean(column, row) { value($0, $1) * guide($0, $1) } - c * m
        let slope = covariance / (variance + 2)
        result += [slope, c - slope * m]
        excess = max(excess, (square - slope * covariance) / chromaVariances[index])
      }
      return result + [1 - TwinFormula.smoothStep((excess - 3) / 9)]
    }
    let filters = CellMemo<[Double]>()
    let means = CellMemo<[Double]>()
    func meanFilter(_ column: Int, _ row: Int) -> [Double] {
      var sums = [Double](repeating: 0, count: 5)
      for y in -3...3 {
        for x in -3...3 {
          let one = filters.value(column + x, row + y, filter)
          for index in 0..<5 { sums[index] += one[index] / 49 }
        }
      }
      return sums
    }
    func mean(_ column: Int, _ row: Int, _ index: Int) -> Double {
      means.value(column, row, meanFilter)[index]
    }
    return { x, y in
      let u = (Double(x) + 0.5) / 4 - 0.5
      let v = (Double(y) + 0.5) / 4 - 0.5
      let column = Int(u.rounded(.down))
      let row = Int(v.rounded(.down))
      let a = u - Double(column)
      let b = v - Double(row)
      return (0..<5).map { index in
        let top = mean(column, row, index) * (1 - a) + mean(column + 1, row, index) * a
        let bottom =
          mean(column, row + 1, index) * (1 - a) + mean(column + 1, row + 1, index) * a
        return top * (1 - b) + bottom * b
      }
    }
  }
}
