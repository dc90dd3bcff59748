import ColorScience
import Develop
import RawModel

/// Despeckling in double precision, photosite by photosite, as the guide describes it.
struct DespeckleTwin: MosaicTwin {
  let width: Int
  let height: Int
  let pattern: CFAPattern
  let amount: Double
  let noise: NoiseModel
  let gains: Vector3
  /// Linear samples, 1 being white, not balanced.
  let samples: [Double]

  private static func range(_ values: [Double]) -> Double {
    (values.max() ?? 0) - (values.min() ?? 0)
  }

  /// Not balanced.
  func cleaned(_ x: Int, _ y: Int) -> Double {
    var own: [Double] = []
    for row in [-2, 0, 2] {
      for column in [-2, 0, 2] where row != 0 || column != 0 {
        own.append(sample(x + column, y + row))
      }
    }
    own.sort()
    let value = sample(x, y)
    let middle = own[1...6].reduce(0, +) / 6
    let light = max(middle, 0)
    let site = color(x, y)
    let deviation = (noise.slope[site] * light + noise.offset[site]).squareRoot()
    // Others, like the own colour.
    func other(_ dx: Int, _ dy: Int) -> Double {
      sample(x + dx, y + dy) * gains[color(x + dx, y + dy)] / gains[site]
    }
    let others = [color(x + 1, y), color(x, y + 1)]
    let variance = others.reduce(0.0) { sum, color in
      let gain = gains[color] / gains[site]
      return sum + gain * gain * (noise.slope[color] * light / gain + noise.offset[color]) / 2
    }
    let rows = [-2, 0, 2].flatMap { [other(-1, $0), other(1, $0)] }
    let columns = [-2, 0, 2].flatMap { [other($0, -1), other($0, 1)] }
    let near = (other(-1, 0) + other(1, 0) + other(0, -1) + other(0, 1)) / 4
    let far = (other(-3, 0) + other(3, 0) + other(0, -3) + other(0, 3)) / 4
    let standing = value < middle ? far - near : near - far
    let structure =
      0.5 * max(Self.range(own) - 3 * deviation, 0)
      + max(max(Self.range(rows), Self.range(columns)) - 3.5 * variance.squareRoot(), 0)
      + 10 * max(standing - 0.7071 * variance.squareRoot(), 0)
    let limit = 4 * deviation + structure
    let beyond = max(value - own[7], own[0] - value)
    return value + (middle - value) * amount
      * TwinFormula.smoothStep((beyond - limit) / (limit / 2))
  }
}
