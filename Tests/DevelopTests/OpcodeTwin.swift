import Raster
import RawModel

/// The opcodes on single samples by the specification's words (DNG 1.7.1 chapter 7), naively in double precision.
struct OpcodeTwin {
  /// Samples interleaved per pixel, rows from top to bottom.
  var samples: [Double]
  let size: PixelSize
  let planes: Int
  /// The top of the logical range: 65535 for stored samples, 1 for linear ones.
  let white: Double

  mutating func apply(_ operation: Opcode.Operation) {
    let white = white
    let size = size
    switch operation {
    case .mapTable(let map):
      change(map.area) { value, _, _, _ in
        let index = Int((value / white * 65535).rounded())
        return Double(map.table[min(max(index, 0), map.table.count - 1)]) / 65535 * white
      }
    case .mapPolynomial(let map):
      change(map.area) { value, _, _, _ in
        var power = 1.0
        var sum = 0.0
        for coefficient in map.coefficients {
          sum += coefficient * power
          power *= value
        }
        return sum
      }
    case .gainMap(let map):
      change(map.area) { value, x, y, plane in
        value * Self.gain(map, x, y, plane - map.area.plane, size)
      }
    case .deltaPerRow(let lines):
      change(lines.area) { value, _, y, _ in
        value + Double(lines.values[(y - lines.area.top) / lines.area.rowPitch])
      }
    case .deltaPerColumn(let lines):
      change(lines.area) { value, x, _, _ in
        value + Double(lines.values[(x - lines.area.left) / lines.area.columnPitch])
      }
    case .scalePerRow(let lines):
      change(lines.area) { value, _, y, _ in
        value * Double(lines.values[(y - lines.area.top) / lines.area.rowPitch])
      }
    case .scalePerColumn(let lines):
      change(lines.area) { value, x, _, _ in
        value * Double(lines.values[(x - lines.area.left) / lines.area.columnPitch])
      }
    default: preconditionFailure("no opcode on single samples")
    }
  }

  private mutating func change(
    _ area: OpcodeArea,
    _ body: (Double, Int, Int, Int) -> Double
  ) {
    for y in 0..<size.height {
      for x in 0..<size.width {
        for plane in 0..<planes {
          let index = (y * size.width + x) * planes + plane
          let isNamed =
            y >= area.top && y < area.bottom && (y - area.top) % area.rowPitch == 0
            && x >= area.left && x < area.right && (x - area.left) % area.columnPitch == 0
            && plane >= area.plane && plane < area.plane + area.planes
          if isNamed || area.isWholeImage && plane >= area.plane {
            samples[index] = body(samples[index], x, y, plane)
          }
          samples[index] = min(max(samples[index], 0), white)
          if white > 1 { samples[index] = samples[index].rounded() }
        }
      }
    }
  }

  private static func gain(
    _ map: GainMap,
    _ x: Int,
    _ y: Int,
    _ plane: Int,
    _ size: PixelSize
  ) -> Double {
    let u = place((Double(x) + 0.5) / Double(size.width), map.originH, map.spacingH, map.pointsH)
    let v = place((Double(y) + 0.5) / Double(size.height), map.originV, map.spacingV, map.pointsV)
    func point(_ row: Int, _ column: Int) -> Double {
      let index = (row * map.pointsH + column) * map.mapPlanes + min(plane, map.mapPlanes - 1)
      return Double(map.gains[index])
    }
    let above = point(v.low, u.low) * (1 - u.part) + point(v.low, u.high) * u.part
    let below = point(v.high, u.low) * (1 - u.part) + point(v.high, u.high) * u.part
    return above * (1 - v.part) + below * v.part
  }

  private static func place(
    _ relative: Double,
    _ origin: Double,
    _ spacing: Double,
    _ points: Int
  ) -> (low: Int, high: Int, part: Double) {
    guard points > 1 else { return (0, 0, 0) }
    let place = min(max((relative - origin) / spacing, 0), Double(points - 1))
    let low = min(Int(place), points - 2)
    return (low, low + 1, place - Double(low))
  }
}
