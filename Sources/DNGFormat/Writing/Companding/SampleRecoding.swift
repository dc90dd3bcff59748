internal import Raster
internal import RawModel

/// Gives samples the codes of a smaller bit depth.
struct SampleRecoding {
  /// The linear code of each stored one of the source; codes past its end take its last entry.
  private let linearCodes: [UInt16]
  private let table: CompandingTable
  /// For each linear code the stored code at or below it, and how far it is to the next one in 65,536ths;
  /// empty without dither.
  private let lower: [UInt16]
  private let fractions: [UInt16]

  private static let bandRows = 64

  init(source: [UInt16]?, table: CompandingTable, isDithered: Bool) {
    linearCodes = Self.linearCodes(source)
    self.table = table
    guard isDithered else {
      lower = []
      fractions = []
      return
    }
    let decoded = table.decoded
    var lower = [UInt16](repeating: 0, count: 1 << 16)
    var fractions = lower
    var code = 0
    for linear in Int(decoded[0])..<(1 << 16) {
      while code + 1 < decoded.count, Int(decoded[code + 1]) <= linear { code += 1 }
      lower[linear] = UInt16(code)
      guard code + 1 < decoded.count else { continue }
      let step = Int(decoded[code + 1]) - Int(decoded[code])
      fractions[linear] = UInt16((linear - Int(decoded[code])) * 65_536 / step)
    }
    self.lower = lower
    self.fractions = fractions
  }

  /// Linear codes of stored ones (LinearizationTable, or themselves).
  static func linearCodes(_ table: [UInt16]?) -> [UInt16] {
    guard let table, let last = table.last else { return (0...UInt16.max).map { $0 } }
    return table + repeatElement(last, count: max(0, (1 << 16) - table.count))
  }

  /// Encodes all samples.
  func encode(
    _ samples: borrowing Plane<UInt16>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> Plane<UInt16> {
    var output: Plane<UInt16>
    do {
      output = try Plane<UInt16>(width: samples.width, height: samples.height)
    } catch {
      throw .memory(error)
    }
    let grid = TileGrid(
      bounds: Region(left: 0, top: 0, width: 1, height: samples.height),
      tileSize: PixelSize(width: 1, height: Self.bandRows)
    )
    let codes = linearCodes.map { table.encoded[Int($0)] }
    output.withTileWriter { writer in
      scheduler.forEachTile(of: grid, laneState: {}) { band, _ in
        for y in band.region.rows {
          samples.withRow(y) { row in
            writer.withRow(y, columns: 0..<row.count) { target in
              if lower.isEmpty {
                look(row, codes, into: &target)
              } else {
                dither(row, y: y, into: &target)
              }
            }
          }
        }
      }
    }
    return output
  }

  private func dither(_ row: Span<UInt16>, y: Int, into target: inout MutableSpan<UInt16>) {
    for x in row.indices {
      let linear = Int(linearCodes[Int(row[x])])
      let isUp = PositionNoise.value(x: x, y: y) < fractions[linear]
      target[x] = lower[linear] + (isUp ? 1 : 0)
    }
  }

  /// How often which linear code got which: for each linear code first the number of samples that got
  /// the nearest or the lower code, then of those that were dithered up.
  private func counts(
    _ samples: borrowing Plane<UInt16>,
    _ output: borrowing Plane<UInt16>
  ) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: 2 << 16)
    for y in 0..<samples.height {
      samples.withRow(y) { row in
        output.withRow(y) { coded in
          for x in row.indices {
            let linear = Int(linearCodes[Int(row[x])])
            let isUp = !lower.isEmpty && coded[x] != lower[linear]
            counts[2 * linear + (isUp ? 1 : 0)] &+= 1
          }
        }
      }
    }
    return counts
  }

  /// What the new codes mean for the samples' values.
  func error(
    _ samples: borrowing Plane<UInt16>,
    as output: borrowing Plane<UInt16>,
    levels: CodeRange,
    noise: NoiseModel
  ) -> DNGSampleError {
    let counts = counts(samples, output)
    let decoded = table.decoded
    var worst = 0.0
    var worstInSigma = 0.0
    var squares = 0.0
    var squaresInSigma = 0.0
    var total = 0.0
    var clipped = 0
    for linear in 0..<(1 << 16) {
      for step in 0...1 {
        let count = counts[2 * linear + step]
        guard count > 0 else { continue }
        let code = lower.isEmpty ? table.encoded[linear] : lower[linear] + UInt16(step)
        let distance = Double(abs(Int(decoded[Int(code)]) - linear))
        let inSigma = distance / levels.sigma(Double(linear), of: noise)
        total += Double(count)
        squares += Double(count) * distance * distance
        squaresInSigma += Double(count) * inSigma * inSigma
        worst = max(worst, distance)
        worstInSigma = max(worstInSigma, inSigma)
        if linear < Int(decoded[0]) || linear > Int(decoded[decoded.count - 1]) {
          clipped += Int(count)
        }
      }
    }
    return DNGSampleError(
      worstStepInSigma: table.worstStepInSigma(levels, noise),
      worstInCodes: worst,
      rmsInCodes: (squares / max(1, total)).squareRoot(),
      worstInSigma: worstInSigma,
      rmsInSigma: (squaresInSigma / max(1, total)).squareRoot(),
      clippedCount: clipped
    )
  }
}

/// A function of its own, because the loop is fast here and not in a closure.
private func look(_ row: Span<UInt16>, _ codes: [UInt16], into target: inout MutableSpan<UInt16>) {
  for x in row.indices { target[x] = codes[Int(row[x])] }
}
