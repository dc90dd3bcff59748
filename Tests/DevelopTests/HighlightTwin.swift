import Develop
import RawModel

/// Highlight recovery of a mosaic in double precision, photosite by photosite, as the guide describes it.
///
/// For pictures whose sides are multiples of 64, and without stages before.
struct HighlightTwin: MosaicTwin {
  let width: Int
  let height: Int
  let pattern: CFAPattern
  /// White balance of red, green and blue.
  let gains: [Double]
  /// Linear samples, 1 being white.
  let samples: [Double]

  private static func clipping(_ value: Double) -> Double {
    TwinFormula.smoothStep((value - 0.88) / 0.06)
  }
  private static func nearness(_ value: Double) -> Double {
    TwinFormula.smoothStep((value - 0.8) / 0.14)
  }

  /// Whether the cell is in a square of 64 pixels with a clipped sample, or beside one.
  private func isNear(_ column: Int, _ row: Int) -> Bool {
    for squareRow in (row / 4 - 1)...(row / 4 + 1) where (0..<height / 64).contains(squareRow) {
      for square in (column / 4 - 1)...(column / 4 + 1) where (0..<width / 64).contains(square) {
        for y in (64 * squareRow)..<(64 * squareRow + 64) {
          for x in (64 * square)..<(64 * square + 64) where samples[y * width + x] >= 0.88 {
            return true
          }
        }
      }
    }
    return false
  }

  /// A grid of chroma, each times its weight, and the weights.
  private struct Level {
    var width: Int
    var height: Int
    var cells: [[Double]]

    func halved() -> Level {
      var result = Level(width: (width + 1) / 2, height: (height + 1) / 2, cells: [])
      for y in 0..<result.height {
        for x in 0..<result.width {
          var sum = [0.0, 0, 0, 0]
          for row in (2 * y)...(2 * y + 1) where row < height {
            for column in (2 * x)...(2 * x + 1) where column < width {
              for index in 0..<4 { sum[index] += cells[row * width + column][index] }
            }
          }
          result.cells.append(sum)
        }
      }
      return result
    }

    /// Bilinear at a place in units of cells, whose centres are at halves.
    func value(_ x: Double, _ y: Double) -> [Double] {
      let u = min(max(x - 0.5, 0), Double(width - 1))
      let v = min(max(y - 0.5, 0), Double(height - 1))
      let column = Int(u)
      let row = Int(v)
      let (a, b) = (u - Double(column), v - Double(row))
      func cell(_ x: Int, _ y: Int) -> [Double] {
        cells[min(y, height - 1) * width + min(x, width - 1)]
      }
      return (0..<4).map { index in
        let upper = cell(column, row)[index] * (1 - a) + cell(column + 1, row)[index] * a
        let lower = cell(column, row + 1)[index] * (1 - a) + cell(column + 1, row + 1)[index] * a
        return upper * (1 - b) + lower * b
      }
    }

    func filled(from coarse: Level) -> Level {
      var result = self
      for y in 0..<height {
        for x in 0..<width {
          let behind = coarse.value((Double(x) + 0.5) / 2, (Double(y) + 0.5) / 2)
          let own = cells[y * width + x]
          result.cells[y * width + x] = (0..<4).map {
            (own[$0] + 0.02 * behind[$0]) / (own[3] + 0.02)
          }
        }
      }
      return result
    }
  }

  private func field() -> Level {
    var level = Level(width: width / 16, height: height / 16, cells: [])
    for row in 0..<level.height {
      for column in 0..<level.width {
        var sum = [0.0, 0, 0, 0]
        if isNear(column, row) {
          for y in stride(from: 16 * row, to: 16 * row + 16, by: 2) {
            for x in stride(from: 16 * column, to: 16 * column + 16, by: 2) {
              var colors = [0.0, 0, 0]
              var largest = [0.0, 0, 0]
              for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let value = sample(x + dx, y + dy)
                let color = color(x + dx, y + dy)
                colors[color] += value * gains[color] * (color == 1 ? 0.5 : 1)
                largest[color] = max(largest[color], value)
              }
              var level = max(largest[0], largest[2])
              guard level < 0.94 else { continue }
              var weight = 1.0
              if largest[1] < 0.94 {
                level = max(level, largest[1])
              } else {
                let mean = (colors[0] * colors[2]).squareRoot()
                weight = TwinFormula.smoothStep((mean / max(colors[1], 0.94) - 0.9) * 10)
                colors[1] = max(colors[1], mean)
              }
              for _ in 0..<8 { weight *= level }
              for color in 0..<3 { sum[color] += colors[color] * weight }
              sum[3] += weight
            }
          }
        }
        let total = sum[0] + sum[1] + sum[2]
        let scale = total > 0 ? sum[3] / total : 0
        level.cells.append([sum[0] * scale, sum[1] * scale, sum[2] * scale, sum[3]])
      }
    }
    var levels = [level]
    while levels[levels.count - 1].cells.count > 1 {
      levels.append(levels[levels.count - 1].halved())
    }
    var filled = Level(width: 1, height: 1, cells: [[1.0 / 3, 1.0 / 3, 1.0 / 3, 1]])
    for level in levels.reversed() { filled = level.filled(from: filled) }
    return filled
  }

  /// Balanced samples after recovery.
  func rebuilt() -> [Double] {
    let field = field()
    var result: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        let chroma = field.value((Double(x) + 0.5) / 16, (Double(y) + 0.5) / 16)
        result.append(rebuilt(x, y, chroma: Array(chroma.prefix(3))))
      }
    }
    return result
  }

  private func rebuilt(_ x: Int, _ y: Int, chroma: [Double]) -> Double {
    let own = color(x, y)
    let value = sample(x, y)
    // Pairs of opposite neighbours among the eight that have the other two colours; those of a green's own
    // colour are its corners.
    var pairs: [[Known]] = [[], [], []]
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] where color(x + dx, y + dy) != own {
      let color = color(x + dx, y + dy)
      pairs[color].append(pair(sample(x - dx, y - dy), sample(x + dx, y + dy), gains[color]))
    }
    let others = (0..<3).filter { $0 != own }
    let known = others.map { color in
      let reliance = pairs[color].map { $0.reliance }
      return Known.mean(pairs[color], reliance, reliance: reliance.max() ?? 0)
    }
    let most = max(known[0].reliance, known[1].reliance)
    let fade = TwinFormula.smoothStep((min(known[0].level, known[1].level) - 0.55) / 0.35)
    let faded = chroma.map { $0 + (1.0 / 3 - $0) * fade }
    var light = 0.0
    var weight = 0.0
    var unclipped = 0.0
    var distance = 0.0
    for (color, one) in zip(others, known) {
      let reliance = one.reliance / most
      light += reliance * one.light
      weight += reliance * one.weight * faded[color]
      unclipped += reliance * one.weight
      distance += reliance * one.distance
    }
    let limit = gains.max() ?? 1
    let measure = min(distance, 1)
    let brightness = light / max(weight, 1e-6)
    let estimate = min(brightness * faded[own], 4 * limit) * measure + (1 - measure) * limit
    let alone = 1 - min(unclipped, 1)
    let clipping = max(Self.clipping(value), Self.nearness(value) * alone)
    let balanced = value * gains[own]
    return balanced + clipping * (max(balanced, estimate) - balanced)
  }

  /// What neighbours of one colour say.
  private struct Known {
    var light: Double
    var weight: Double
    var distance: Double
    var level: Double
    var reliance: Double

    static func mean(_ all: [Known], _ shares: [Double], reliance: Double) -> Known {
      func mean(_ of: (Known) -> Double) -> Double {
        zip(all, shares).reduce(0) { $0 + of($1.0) * $1.1 } / shares.reduce(0, +)
      }
      return Known(
        light: mean { $0.light },
        weight: mean { $0.weight },
        distance: mean { $0.distance },
        level: mean { $0.level },
        reliance: reliance
      )
    }
  }

  private func pair(_ a: Double, _ b: Double, _ gain: Double) -> Known {
    let most = max(a, b, 1e-6)
    func likeness(_ value: Double) -> Double { TwinFormula.smoothStep((value / most - 0.5) / 0.3) }
    let both = [a, b].map { value in
      let share = 1 - Self.clipping(value)
      return Known(
        light: share * value * gain,
        weight: share,
        distance: 1 - Self.nearness(value),
        level: value,
        reliance: 0
      )
    }
    return Known.mean(
      both,
      [a, b].map { max(likeness($0), 0.001) },
      reliance: likeness(min(a, b)) + 0.05
    )
  }
}
