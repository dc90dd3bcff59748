internal import Raster
internal import RawModel

/// FixVignetteRadial: `1 + k0 r^2 + k1 r^4 + k2 r^6 + k3 r^8 + k4 r^10` times the light, `r` being the
/// distance from the centre over that to the farthest corner.
///
/// Results are clipped at 0 and at white, in list 3 at 0 alone where highlights above white are rebuilt. DNG 1.7.1 chapter 7,
/// "FixVignetteRadial". Version 1.
struct VignetteStage: PixelStage, LineStage {
  static let name = "fixVignetteRadial"

  private let centerX: Double
  private let centerY: Double
  /// One over the squared radius.
  private let scale: Double
  private let coefficients: [Float]
  /// What white is in red, green and blue.
  private let limits: [Float]

  /// `bounds` is the image at the opcode's place.
  ///
  /// - Throws: `opcodeUnusable`.
  init(
    _ vignette: FixVignetteRadial,
    list: Int,
    bounds: Region,
    _ context: StageContext
  ) throws(DevelopError) {
    guard
      vignette.coefficients.allSatisfy({ $0.isFinite && abs($0) < 1e6 }),
      let optics = Optics(vignette.center, bounds: bounds)
    else {
      throw .opcodeUnusable(
        list: list,
        name: "FixVignetteRadial",
        reason: "has a coefficient or a centre that makes no sense"
      )
    }
    centerX = optics.x
    centerY = optics.y
    scale = 1 / (optics.radius * optics.radius)
    coefficients = vignette.coefficients.map { Float($0) }
    limits = (0..<3).map { OpcodeStages.colorLimit(context) * Float(context.gains[$0]) }
  }

  /// The gains of eight places `x` pixels from the centre, in a row `y` from it.
  @inline(__always)
  private func gain(_ x: Lanes, _ y: Float) -> Lanes {
    let square = (x * x + y * y) * Float(scale)
    var sum = square * coefficients[4] + coefficients[3]
    for index in [2, 1, 0] { sum = sum * square + coefficients[index] }
    return sum * square + 1
  }

  private func apply(
    _ row: SampleRow,
    _ range: Range<Int>,
    x: Double,
    step: Double,
    y: Double,
    limit: Float
  ) {
    let numbers = Lanes(0, 1, 2, 3, 4, 5, 6, 7) * Float(step)
    let fromCenter = Float(y - centerY)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      // Whole and half numbers are exact, so that a place is the same in every tile.
      let place = numbers + Float(x + step * Double(i)) - Float(centerX)
      let value = row[lanes: i]
      let top = value.maximum(Lanes(repeating: limit))
      let bright = value * gain(place, fromCenter)
      row[lanes: i] = bright.maximum(Lanes(repeating: 0)).minimum(top)
    }
  }

  func apply(_ row: PixelRow) {
    for color in 0..<3 {
      apply(
        row.rows[color],
        row.range,
        x: row.place.x,
        step: row.place.step,
        y: row.place.y,
        limit: limits[color]
      )
    }
  }

  func apply(_ line: SampleLine) {
    let first = Double(line.columns.lowerBound - 2 * line.start)
    let pairs = line.start..<(line.start + (line.columns.count + 1) / 2)
    let y = Double(line.y)
    apply(line.even, pairs, x: first, step: 2, y: y, limit: 1)
    apply(line.odd, pairs, x: first + 1, step: 2, y: y, limit: 1)
  }
}
