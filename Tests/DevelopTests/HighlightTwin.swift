import Develop
import RawModel

/// Highlight recovery of a mosaic in double precision, photosite by photosite, as the guide describes it.
///
/// For pictures whose sides are multiples of 64, and without stages before.
struct HighlightTwin {
  let width: Int
  let height: Int
  let pattern: CFAPattern
  /// White balance of red, green and blue.
  let gains: [Double]
  /// Linear samples, 1 being white.
  let samples: [Double]

  private func color(_ x: Int, _ y: Int) -> Int { pattern.colors[2 * (y & 1) + (x & 1)] }

  /// A sample; beyond the edges the mirrored one.
  private func sample(_ x: Int, _ y: Int) -> Double {
    func mirrored(_ index: Int, _ count: Int) -> Int {
      index < 0 ? -index : index >= count ? 2 * (count - 1) - index : index
    }
    return samples[mirrored(y, height) * width + mirrored(x, width)]
  }

  private static func smoothStep(_ value: Double) -> Double {
    let t = min(max(value, 0), 1)
    return t * t * (3 - 2 * t)
  }

  private static func clipping(_ value: Double) -> Double { smoothStep((value - 0.95) / 0.04) }
  private static func nearness(_ value: Double) -> Double { smoothStep((value - 0.8) / 0.19) }

  /// Whether the cell is in a square of 64 pixels with a clipped sample, or beside one.
  private func isNear(_ column: Int, _ row: Int) -> Bool {
    for squareRow in (row / 4 - 1)...(row / 4 + 1) where (0..<height / 64).contains(squareRow) {
      for square in (column / 4 - 1)...(column / 4 + 1) where (0..<width / 64).contains(square) {
        for y in (64 * squareRow)..<(64 * squareRow + 64) {
          for x in (64 * square)..<(64 * square + 64) where samples[y * width + x] >= 0.95 {
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
              var largest = -Double.infinity
              for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let value = sample(x + dx, y + dy)
                let color = color(x + dx, y + dy)
                colors[color] += value * (color == 1 ? 0.5 : 1)
                largest = max(largest, value)
              }
              guard largest < 0.95 else { continue }
              var weight = 1.0
              for _ in 0..<8 { weight *= largest }
              for color in 0..<3 { sum[color] += colors[color] * gains[color] * weight }
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
    // The other two colours among the eight neighbours; those of a green's own colour are corners.
    var neighbours: [[Double]] = [[], [], []]
    for dy in -1...1 {
      for dx in -1...1 where (dx, dy) != (0, 0) {
        let color = color(x + dx, y + dy)
        if color != own { neighbours[color].append(sample(x + dx, y + dy)) }
      }
    }
    let others = (0..<3).filter { $0 != own }
    func mean(_ color: Int, _ of: (Double) -> Double) -> Double {
      neighbours[color].reduce(0) { $0 + of($1) } / Double(neighbours[color].count)
    }
    let levels = others.map { mean($0) { $0 } }
    let fade = Self.smoothStep((min(levels[0], levels[1]) - 0.55) / 0.35)
    let faded = chroma.map { $0 + (1.0 / 3 - $0) * fade }
    var light = 0.0
    var weight = 0.0
    var unclipped = 0.0
    var distance = 0.0
    for color in others {
      light += mean(color) { (1 - Self.clipping($0)) * $0 * gains[color] }
      let share = mean(color) { 1 - Self.clipping($0) }
      weight += share * faded[color]
      unclipped += share
      distance += mean(color) { 1 - Self.nearness($0) }
    }
    let limit = gains.max() ?? 1
    let known = min(distance, 1)
    let brightness = light / max(weight, 1e-6)
    let estimate = min(brightness * faded[own], 4 * limit) * known + (1 - known) * limit
    let alone = 1 - min(unclipped, 1)
    let clipping = max(Self.clipping(value), Self.nearness(value) * alone)
    let balanced = value * gains[own]
    return balanced + clipping * (max(balanced, estimate) - balanced)
  }
}
