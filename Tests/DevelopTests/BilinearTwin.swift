import Raster
import RawModel

/// The stages before the demosaic, naively in double precision, and a bilinear demosaic.
///
/// The reference renderer demosaics bilinearly. With this in place of Menon's method the rest of the
/// development can be compared with it exactly.
enum BilinearTwin {
  /// A LinearRaw of the active area with what the mosaic's colours are.
  static func linearRaw(_ frame: borrowing RawFrame, pattern: CFAPattern) throws -> RawFrame {
    let source = frame.description
    let area = source.activeArea
    var linear: [Double] = []
    let white = source.whiteLevel[0]
    let level = source.blackLevel
    let highest =
      level.values.reduce(-Double.infinity, max) + (level.deltaH.max() ?? 0)
      + (level.deltaV.max() ?? 0)
    for y in 0..<area.height {
      let codes = frame.samples.values(ofRow: y + area.top)
      for x in 0..<area.width {
        var code = codes[x + area.left]
        if let table = source.linearizationTable {
          code = Double(table[min(Int(code), table.count - 1)])
        }
        let black = level.level(row: y, column: x, sample: 0)
        linear.append(min((code - black) / (white - highest), 1))
      }
    }
    if !source.opcodeList2.isEmpty {
      var twin = OpcodeTwin(samples: linear, size: area.size, planes: 1, white: 1)
      for opcode in source.opcodeList2 { twin.apply(opcode.operation) }
      linear = twin.samples
    }
    var description = source
    description.size = area.size
    description.layout = .linear(planes: 3)
    description.linearizationTable = nil
    // Room below for noise under black.
    let offset = 3000.0
    description.blackLevel = BlackLevel(
      repeatRows: 1,
      repeatColumns: 1,
      samplesPerPixel: 3,
      values: [offset, offset, offset]
    )
    description.whiteLevel = [63000, 63000, 63000]
    description.activeArea = Region(size: area.size)
    description.opcodeList2 = []
    let colors = interpolated(linear, area.size, pattern)
    return try TestFrame.frame(description) { x, y in
      let value = colors[x % 3][y * area.width + x / 3]
      return UInt16((offset + 60000 * value).rounded().clamped(0, 65535))
    }
  }

  /// The mean of the nearest samples of each colour.
  private static func interpolated(
    _ samples: [Double],
    _ size: PixelSize,
    _ pattern: CFAPattern
  ) -> [[Double]] {
    var planes: [[Double]] = [[], [], []]
    for y in 0..<size.height {
      for x in 0..<size.width {
        var sums = [0.0, 0, 0]
        var weights = [0.0, 0, 0]
        for dy in -1...1 {
          for dx in -1...1 {
            let color = pattern.colors[2 * ((y + dy) & 1) + ((x + dx) & 1)]
            let weight = Double((2 - abs(dx)) * (2 - abs(dy)))
            // At its own site a colour is the sample; diagonal greens do not count beside near ones.
            let own = pattern.colors[2 * (y & 1) + (x & 1)]
            if color == own && (dx != 0 || dy != 0) { continue }
            let index =
              TwinFormula.mirrored(y + dy, size.height) * size.width
              + TwinFormula.mirrored(x + dx, size.width)
            sums[color] += weight * samples[index]
            weights[color] += weight
          }
        }
        for color in 0..<3 { planes[color].append(sums[color] / weights[color]) }
      }
    }
    return planes
  }
}

extension Double {
  fileprivate func clamped(_ low: Double, _ high: Double) -> Double { min(max(self, low), high) }
}
