import RawModel

/// Menon (2007) with refining, naively in double precision over whole pictures, straight from the paper.
///
/// It is the twin that the kernel is tested against; edges are mirrored as the kernel's are.
struct MenonTwin {
  let width: Int
  let height: Int
  let cell: [Int]
  private let samples: [Double]

  init(width: Int, height: Int, pattern: CFAPattern, samples: [Double]) {
    self.width = width
    self.height = height
    cell = pattern.colors
    self.samples = samples
  }

  private func sample(_ x: Int, _ y: Int) -> Double {
    samples[TwinFormula.mirrored(y, height) * width + TwinFormula.mirrored(x, width)]
  }

  private func color(_ x: Int, _ y: Int) -> Int { cell[2 * (y & 1) + (x & 1)] }

  /// Values over the picture and a margin, computed once.
  private struct Field {
    let width: Int
    let margin: Int
    var values: [Double]

    init(_ width: Int, _ height: Int, margin: Int, _ value: (Int, Int) -> Double) {
      self.width = width + 2 * margin
      self.margin = margin
      values = []
      for y in -margin..<(height + margin) {
        for x in -margin..<(width + margin) { values.append(value(x, y)) }
      }
    }

    subscript(_ x: Int, _ y: Int) -> Double { values[(y + margin) * width + x + margin] }
  }

  /// Red, green and blue of every pixel.
  func reconstruct() -> [[Double]] {
    func field(_ margin: Int, _ value: (Int, Int) -> Double) -> Field {
      Field(width, height, margin: margin, value)
    }
    func isGreen(_ x: Int, _ y: Int) -> Bool { color(x, y) == 1 }
    func difference(_ dx: Int, _ dy: Int) -> (Int, Int) -> Double {
      { x, y in
        if isGreen(x, y) { return 0 }
        let c = sample(x, y)
        let green =
          (sample(x - dx, y - dy) + sample(x + dx, y + dy)) / 2
          + (2 * c - sample(x - 2 * dx, y - 2 * dy) - sample(x + 2 * dx, y + 2 * dy)) / 4
        return c - green
      }
    }
    let row = field(10, difference(1, 0))
    let column = field(10, difference(0, 1))
    let rowChange = field(8) { x, y in abs(row[x, y] - row[x + 2, y]) }
    let columnChange = field(8) { x, y in abs(column[x, y] - column[x, y + 2]) }
    let isRow = field(6) { x, y in
      var alongRow = 3 * (rowChange[x, y] + rowChange[x - 2, y])
      var alongColumn = 3 * (columnChange[x, y] + columnChange[x, y - 2])
      for side in [-2, 2] {
        alongRow += rowChange[x, y + side] + rowChange[x - 2, y + side]
        alongColumn += columnChange[x + side, y] + columnChange[x + side, y - 2]
      }
      for side in [-1, 1] {
        alongRow += rowChange[x - 1, y + side]
        alongColumn += columnChange[x + side, y - 1]
      }
      return alongColumn >= alongRow ? 1 : 0
    }
    func directed(_ x: Int, _ y: Int) -> (Int, Int) { isRow[x, y] == 1 ? (1, 0) : (0, 1) }

    /// Colour less green for red (0) or blue (2), with those of colour sites given.
    func spread(_ margin: Int, _ k: Field, _ wanted: Int) -> Field {
      field(margin) { x, y in
        if color(x, y) == wanted { return k[x, y] }
        if !isGreen(x, y) { return .nan }
        let isInRow = color(x + 1, y) == wanted
        return isInRow ? (k[x - 1, y] + k[x + 1, y]) / 2 : (k[x, y - 1] + k[x, y + 1]) / 2
      }
    }
    let first = field(6) { x, y in
      isGreen(x, y) ? 0 : isRow[x, y] == 1 ? row[x, y] : column[x, y]
    }
    let firstRed = spread(5, first, 0)
    let firstBlue = spread(5, first, 2)
    // Blue less red at red sites, red less blue at blue sites.
    let cross = field(3) { x, y in
      if isGreen(x, y) { return 0 }
      let (dx, dy) = directed(x, y)
      let own = color(x, y) == 0 ? firstRed : firstBlue
      let other = color(x, y) == 0 ? firstBlue : firstRed
      let before = other[x - dx, y - dy] - own[x - dx, y - dy]
      let after = other[x + dx, y + dy] - own[x + dx, y + dy]
      return (before + after) / 2
    }
    let refined = field(4) { x, y in
      if isGreen(x, y) { return 0 }
      let (dx, dy) = directed(x, y)
      let own = color(x, y) == 0 ? firstRed : firstBlue
      return (own[x - dx, y - dy] + first[x, y] + own[x + dx, y + dy]) / 3
    }
    let red = spread(3, refined, 0)
    let blue = spread(3, refined, 2)
    var planes: [[Double]] = [[], [], []]
    for y in 0..<height {
      for x in 0..<width {
        let s = sample(x, y)
        if isGreen(x, y) {
          planes[0].append(s + red[x, y])
          planes[1].append(s)
          planes[2].append(s + blue[x, y])
        } else {
          let (dx, dy) = directed(x, y)
          let own = color(x, y) == 0 ? red : blue
          let other = color(x, y) == 0 ? blue : red
          let before = other[x - dx, y - dy] - own[x - dx, y - dy]
          let after = other[x + dx, y + dy] - own[x + dx, y + dy]
          let crossing = (before + cross[x, y] + after) / 3
          planes[1].append(s - refined[x, y])
          planes[color(x, y)].append(s)
          planes[2 - color(x, y)].append(s + crossing)
        }
      }
    }
    return planes
  }
}
