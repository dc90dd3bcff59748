internal import Raster
internal import RawModel

/// Integer samples as floating-point ones: 0 at black; 1 lies as far above it as white above the highest
/// black of all places, by which DNG scales (1.7.1, chapter 5, "Black Subtraction" and "Rescaling").
struct FloatConversion {
  /// 16 or 32.
  private let bits: Int
  private let source: RawDescription
  private let linearCodes: [UInt16]

  init(_ source: RawDescription, bits: Int) {
    self.bits = bits
    self.source = source
    linearCodes = SampleRecoding.linearCodes(source.linearizationTable)
  }

  /// The source's noise.
  var noise: NoiseModel { NoiseModel(source) }

  /// Of the samples as they will be stored.
  var description: RawDescription {
    var description = source
    description.setNormalized(bitsPerSample: bits)
    return description
  }

  /// Converts all samples; the values are those that `bits` hold.
  func convert(
    _ samples: borrowing Plane<UInt16>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> Plane<Float> {
    var output: Plane<Float>
    do {
      output = try Plane<Float>(width: samples.width, height: samples.height)
    } catch {
      throw .memory(error)
    }
    let bands = Self.bands(samples.height)
    output.withTileWriter { writer in
      scheduler.forEachTile(of: bands, laneState: {}) { band, _ in
        for y in band.region.rows {
          let levels = levels(ofRow: y, count: samples.width)
          samples.withRow(y) { row in
            writer.withRow(y, columns: 0..<row.count) { target in
              for x in row.indices {
                let linear = Double(linearCodes[Int(row[x])])
                let value = (linear - levels.black[x]) / levels.range[x]
                target[x] = bits == 16 ? Float(Float16(value)) : Float(value)
              }
            }
          }
        }
      }
    }
    return output
  }

  /// Floating-point samples with the precision of half floats.
  ///
  /// - Throws: `unrepresentableSample` for finite ones that are beyond their range.
  static func rounded(_ samples: borrowing Plane<Float>) throws(DNGWritingError) -> Plane<Float> {
    var output: Plane<Float>
    do {
      output = try Plane<Float>(width: samples.width, height: samples.height)
    } catch {
      throw .memory(error)
    }
    for y in 0..<samples.height {
      var isWithin = true
      samples.withRow(y) { row in
        output.withMutableRow(y) { target in
          for x in row.indices {
            target[x] = Float(Float16(row[x]))
            if row[x].isFinite, !target[x].isFinite { isWithin = false }
          }
        }
      }
      guard isWithin else { throw .unrepresentableSample(row: y, target: "half floats") }
    }
    return output
  }

  /// How far the values are from the source's, in linear codes.
  func error(
    _ samples: borrowing Plane<UInt16>,
    as output: borrowing Plane<Float>,
    noise: NoiseModel
  ) -> DNGSampleError {
    var (worst, squares, worstInSigma, squaresInSigma) = (0.0, 0.0, 0.0, 0.0)
    for y in 0..<samples.height {
      let levels = levels(ofRow: y, count: samples.width)
      samples.withRow(y) { row in
        output.withRow(y) { values in
          for x in row.indices {
            let range = levels.range[x]
            let linear = Double(linearCodes[Int(row[x])])
            let distance = abs(levels.black[x] + Double(values[x]) * range - linear)
            let inSigma = distance / (noise.sigma(Double(values[x])) * range)
            worst = max(worst, distance)
            worstInSigma = max(worstInSigma, inSigma)
            squares += distance * distance
            squaresInSigma += inSigma * inSigma
          }
        }
      }
    }
    let count = Double(max(1, samples.width * samples.height))
    return DNGSampleError(
      // Eleven bits of fraction below white, the largest value of a half float's last binade.
      worstStepInSigma: bits == 16 ? 1 / 2048 / noise.sigma(1) : 0,
      worstInCodes: worst,
      rmsInCodes: (squares / count).squareRoot(),
      worstInSigma: worstInSigma,
      rmsInSigma: (squaresInSigma / count).squareRoot(),
      clippedCount: 0
    )
  }

  /// Black of each sample of a row, and the range that counts as 1.
  private func levels(ofRow y: Int, count: Int) -> (black: [Double], range: [Double]) {
    let planes = source.layout.samplesPerPixel
    let ranges = (0..<planes).map { source.range(sample: $0) }
    var black: [Double] = []
    black.reserveCapacity(count)
    for x in 0..<count / planes {
      for plane in 0..<planes { black.append(source.black(row: y, column: x, sample: plane)) }
    }
    return (black, (0..<count).map { ranges[$0 % planes] })
  }

  private static func bands(_ height: Int) -> TileGrid {
    TileGrid(
      bounds: Region(left: 0, top: 0, width: 1, height: height),
      tileSize: PixelSize(width: 1, height: 64)
    )
  }
}
