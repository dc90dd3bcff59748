internal import ColorScience
internal import Raster
internal import RawModel

/// What is left of white sensor noise in the bands that noise reduction works on.
///
/// A demosaic mixes the noise of neighbours, so that noise is not white afterwards. It is measured: a flat
/// grey with the noise of the model, drawn from a fixed generator, goes through the very demosaic and
/// transforms, and the variance of each band is taken. Nothing of it depends on the picture.
struct NoiseResponse: Equatable, Sendable {
  /// Of luma's wavelet coefficients, from the finest scale.
  let lumaVariances: [3 of Float]
  /// Of the means of C1 and C2 over cells.
  let chromaVariances: (Float, Float)

  static func == (a: NoiseResponse, b: NoiseResponse) -> Bool {
    (0..<3).allSatisfy { a.lumaVariances[$0] == b.lumaVariances[$0] }
      && a.chromaVariances == b.chromaVariances
  }

  /// A field large enough for the variance of the coarsest band to be right within a few hundredths.
  private static let side = 256
  /// Left out on each side: what the demosaic mirrors, and the reach of the wavelets.
  private static let margin = 24
  /// The grey: where noise shows most in a picture, in the lower middle.
  private static let grey = 0.1

  /// Of balanced samples with this noise.
  ///
  /// `pattern` is that of the mosaic, which `MenonDemosaic` demosaics; nil for samples that have all colours.
  /// `isGrey` says that all three colours are one sample.
  init(
    noise: NoiseModel,
    pattern: CFAPattern?,
    isGrey: Bool = false
  ) throws(RasterError) {
    let noise = noise.bounded
    let variance = noise.variance(Self.grey)
    let deviations = (0..<3).map { Float(variance[$0].squareRoot()) }
    var generator = NormalGenerator(seed: 1)
    let transforms = (0..<3).map {
      VarianceStabilization(slope: noise.slope[$0], offset: noise.offset[$0], unbiasing: 0)
    }
    let side = Self.side
    var fields = [[Float]](repeating: [], count: 3)
    if let pattern {
      var mosaic = try Plane<Float>(width: side, height: side)
      for y in 0..<side {
        mosaic.withMutableRow(y) { row in
          for x in 0..<side {
            let color = pattern.colors[2 * (y & 1) + (x & 1)]
            row[x] = Float(Self.grey) + generator.next() * deviations[color]
          }
        }
      }
      let planes = try Demosaicer.menon(
        mosaic,
        pattern: pattern,
        noise: noise,
        scheduler: TileScheduler(laneCount: 1)
      )
      fields = [
        Self.stabilized(planes.red, transforms[0]), Self.stabilized(planes.green, transforms[1]),
        Self.stabilized(planes.blue, transforms[2]),
      ]
    } else {
      for color in 0..<3 {
        var plane = try Plane<Float>(width: side, height: side)
        for y in 0..<side {
          plane.withMutableRow(y) { row in
            for x in 0..<side {
              row[x] = Float(Self.grey) + generator.next() * deviations[color]
            }
          }
        }
        fields[color] = Self.stabilized(plane, transforms[color])
        if isGrey {
          fields = [fields[color], fields[color], fields[color]]
          break
        }
      }
    }
    let pixels = 0..<(side * side)
    let first = pixels.map { fields[0][$0] - fields[1][$0] }
    let second = pixels.map { fields[2][$0] - fields[1][$0] }
    var luma = pixels.map { fields[1][$0] + (first[$0] + second[$0]) * 0.25 }
    var variances: [3 of Float] = [0, 0, 0]
    for scale in 0..<3 {
      let smooth = Self.smoothed(luma, step: 1 << scale)
      let coefficients = pixels.map { luma[$0] - smooth[$0] }
      variances[scale] = Self.variance(coefficients, width: side, margin: Self.margin)
      luma = smooth
    }
    lumaVariances = variances
    let cells = side / 4
    chromaVariances = (
      Self.variance(Self.cellMeans(first), width: cells, margin: Self.margin / 4),
      Self.variance(Self.cellMeans(second), width: cells, margin: Self.margin / 4)
    )
  }

  private static func stabilized(
    _ plane: borrowing Plane<Float>,
    _ transform: VarianceStabilization
  ) -> [Float] {
    var field: [Float] = []
    field.reserveCapacity(side * side)
    for y in 0..<side {
      plane.withRow(y) { row in
        for x in stride(from: 0, to: side, by: 8) {
          var lanes = Lanes()
          for lane in 0..<8 { lanes[lane] = row[x + lane] }
          let values = transform.stabilized(lanes)
          for lane in 0..<8 { field.append(values[lane]) }
        }
      }
    }
    return field
  }

  /// The spline of `SplineSmoothing`; edges are repeated.
  private static func smoothed(_ field: [Float], step: Int) -> [Float] {
    let weights: [Float] = [1.0 / 16, 0.25, 0.375, 0.25, 1.0 / 16]
    func pass(_ field: [Float], _ dx: Int, _ dy: Int) -> [Float] {
      var result = [Float](repeating: 0, count: field.count)
      for y in 0..<side {
        for x in 0..<side {
          var sum: Float = 0
          for tap in -2...2 {
            let column = min(max(x + tap * dx, 0), side - 1)
            let row = min(max(y + tap * dy, 0), side - 1)
            sum += weights[tap + 2] * field[row * side + column]
          }
          result[y * side + x] = sum
        }
      }
      return result
    }
    return pass(pass(field, 0, step), step, 0)
  }

  private static func cellMeans(_ field: [Float]) -> [Float] {
    let cells = side / 4
    return (0..<(cells * cells)).map { cell in
      var sum: Float = 0
      for y in 0..<4 {
        for x in 0..<4 { sum += field[(cell / cells * 4 + y) * side + cell % cells * 4 + x] }
      }
      return sum / 16
    }
  }

  private static func variance(_ field: [Float], width: Int, margin: Int) -> Float {
    var sum = 0.0
    var squares = 0.0
    var count = 0.0
    for y in margin..<(width - margin) {
      for x in margin..<(width - margin) {
        let value = Double(field[y * width + x])
        sum += value
        squares += value * value
        count += 1
      }
    }
    let mean = sum / count
    return Float(max(squares / count - mean * mean, 1e-12))
  }
}
