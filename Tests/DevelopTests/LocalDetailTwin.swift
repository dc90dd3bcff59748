import ColorScience
import Develop

/// Sharpening, detail and local contrast, naively in double precision: the twin of `LocalDetailStage` at full
/// scale in a picture of 12 megapixels, with the same noise everywhere.
struct LocalDetailTwin {
  var sharpness: Double
  var detail: Double
  var contrast: Double
  var deviation: Double

  func enhance(_ picture: PlaneArrays) -> PlaneArrays {
    let width = picture.width
    let height = picture.height
    let weights = RGBSpace.romm.toXYZ.rows[1]
    let offset = 1.0 / 1024
    let p = MirroredField(width, height, margin: 48) { x, y in
      let index = MirroredField.index(y, height) * width + MirroredField.index(x, width)
      var luminance = 0.0
      for color in 0..<3 { luminance += weights[color] * Double(picture.colors[color][index]) }
      return (max(luminance, 0) + offset).squareRoot()
    }
    let taps = (-2...2).map { PortableMath.exp(-Double($0 * $0) / (2 * 0.64)) }
    let total = taps.reduce(0, +)
    let g = MirroredField(width, height, margin: 8) { x, y in
      var sum = 0.0
      for j in -2...2 {
        for i in -2...2 { sum += taps[i + 2] * taps[j + 2] * p[x + i, y + j] }
      }
      return sum / (total * total)
    }
    let coarse = g.smoothed(step: 2, margin: 0)
    let base = base(p)
    var result = picture
    for y in 0..<height {
      for x in 0..<width {
        var change = fine(p, g, coarse, x, y)
        if contrast > 0 {
          let (slope, constant) = base(x, y)
          let band = g[x, y] - (slope * g[x, y] + constant)
          change += 0.6 * contrast * band / (1 + band * band / (0.15 * 0.15))
        }
        let ratio = min(max((p[x, y] + change) / p[x, y], 0.25), 4)
        for color in 0..<3 {
          result.colors[color][y * width + x] *= Float(ratio * ratio)
        }
      }
    }
    return result
  }

  private func fine(
    _ p: MirroredField,
    _ g: MirroredField,
    _ coarse: MirroredField,
    _ x: Int,
    _ y: Int
  ) -> Double {
    func over(_ band: Double) -> Double {
      band > deviation ? band - deviation : band < -deviation ? band + deviation : 0
    }
    var power = 0.0
    var low = Double.infinity
    var high = -Double.infinity
    for j in -1...1 {
      for i in -1...1 {
        let band = p[x + i, y + j] - g[x + i, y + j]
        power += band * band * Double((2 - i.magnitude.signum()) * (2 - j.magnitude.signum())) / 16
        low = min(low, p[x + i, y + j])
        high = max(high, p[x + i, y + j])
      }
    }
    let edge = power / (power + 4 * deviation * deviation + 1e-9)
    var change = 1.5 * sharpness * edge * over(p[x, y] - g[x, y])
    let band = over(p[x, y] - coarse[x, y])
    change += 0.5 * detail * band / (1 + band * band / (0.08 * 0.08))
    guard sharpness > 0 || detail > 0 else { return 0 }
    let margin = 0.2 * (high - low)
    return min(max(p[x, y] + change, low - margin), high + margin) - p[x, y]
  }

  /// Slope and offset of the guided filter at a pixel.
  private func base(_ p: MirroredField) -> (Int, Int) -> (Double, Double) {
    func cell(_ column: Int, _ row: Int) -> Double {
      var sum = 0.0
      for y in 0..<4 {
        for x in 0..<4 { sum += p[4 * column + x, 4 * row + y] }
      }
      return sum / 16
    }
    let filters = CellMemo<(Double, Double)>()
    let means = CellMemo<(Double, Double)>()
    func filter(_ column: Int, _ row: Int) -> (Double, Double) {
      var mean = 0.0
      var square = 0.0
      for y in -4...4 {
        for x in -4...4 {
          let value = cell(column + x, row + y)
          mean += value / 81
          square += value * value / 81
        }
      }
      let variance = max(square - mean * mean, 0)
      let slope = variance / (variance + 0.004)
      return (slope, mean - slope * mean)
    }
    func meanFilter(_ column: Int, _ row: Int) -> (Double, Double) {
      var slope = 0.0
      var offset = 0.0
      for y in -4...4 {
        for x in -4...4 {
          let one = filters.value(column + x, row + y, filter)
          slope += one.0 / 81
          offset += one.1 / 81
        }
      }
      return (slope, offset)
    }
    return { x, y in
      let u = (Double(x) + 0.5) / 4 - 0.5
      let v = (Double(y) + 0.5) / 4 - 0.5
      let column = Int(u.rounded(.down))
      let row = Int(v.rounded(.down))
      let a = u - Double(column)
      let b = v - Double(row)
      var slope = 0.0
      var offset = 0.0
      for (j, weightV) in [(0, 1 - b), (1, b)] {
        for (i, weightH) in [(0, 1 - a), (1, a)] {
          let one = means.value(column + i, row + j, meanFilter)
          slope += weightV * weightH * one.0
          offset += weightV * weightH * one.1
        }
      }
      return (slope, offset)
    }
  }
}
