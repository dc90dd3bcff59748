internal import Raster
internal import RawModel

/// Floating-point samples, or integers of more than 16 bits, as integers of 8 to 16 bits.
///
/// Samples are scaled to linear codes of 16 bits that hold all of them, with black and white at whole
/// codes, and then get the nearest of the codes that the bit depth has: straight from their own value, so
/// that none is more than half a step away.
struct IntegerConversion {
  /// Of the samples as they will be stored.
  private(set) var description: RawDescription
  private let noise: NoiseModel
  private let levels: CodeRange
  /// Nil where codes are linear.
  private let table: CompandingTable?
  private let isDithered: Bool
  /// A sample's linear code is `scale` times what it is above `origin`.
  private let origin: Double
  private let scale: Double

  private static let top = 65_535.0

  /// - Parameters:
  ///   - samples: Of which no integer is made before.
  ///   - source: Their description.
  ///   - bits: 8 to 16.
  ///   - settings: Which codes there are.
  /// - Throws: `unrepresentableSample` for one that is no finite number.
  init(
    _ samples: borrowing StoredSamples,
    _ source: RawDescription,
    bits: Int,
    settings: DNGOutputSettings
  ) throws(DNGWritingError) {
    let blacks = source.blackLevel.values
    let black = blacks.min() ?? 0
    let white = source.whiteLevel.max() ?? 1
    let (lowest, highest) = try Self.extremes(of: samples, bits: bits)
    let (low, high) = (min(lowest, black), max(highest, white))
    let blackCode = ((black - low) * Self.top / (high - low)).rounded(.up)
    let room = (Self.top - blackCode) / (high - black)
    let whiteCode = (blackCode + (white - black) * room).rounded(.down)
    guard whiteCode > blackCode else {
      throw .unrepresentableSample(row: nil, target: "integers of 16 bits beside black and white")
    }
    let scale = (whiteCode - blackCode) / (white - black)
    self.scale = scale
    origin = black - blackCode / scale
    var description = source
    description.bitsPerSample = bits
    description.sampleFormat = .unsignedInteger
    description.linearizationTable = nil
    description.blackLevel = BlackLevel(
      repeatRows: source.blackLevel.repeatRows,
      repeatColumns: source.blackLevel.repeatColumns,
      samplesPerPixel: source.blackLevel.samplesPerPixel,
      values: blacks.map { blackCode + ($0 - black) * scale },
      deltaH: source.blackLevel.deltaH.map { $0 * scale },
      deltaV: source.blackLevel.deltaV.map { $0 * scale }
    )
    description.whiteLevel = source.whiteLevel.map {
      (blackCode + ($0 - black) * scale).rounded()
    }
    noise = NoiseModel(source)
    levels = CodeRange(
      description,
      lowest: Int(Self.code(lowest, blackCode, black, scale)),
      highest: Int(Self.code(highest, blackCode, black, scale))
    )
    isDithered = bits == 8
    if settings.compression == .jpegXL, settings.quality < 1 {
      table = CompandingTable(fullScaleFor: noise, levels: levels)
    } else if bits == 16 {
      table = nil
    } else if settings.curve == .linear {
      table = CompandingTable(linearFor: noise, levels: levels, bits: bits)
    } else {
      table = CompandingTable(squareRootFor: noise, levels: levels, bits: bits)
    }
    description.linearizationTable = table?.decoded
    self.description = description
  }

  private static func code(
    _ value: Double,
    _ blackCode: Double,
    _ black: Double,
    _ scale: Double
  ) -> Double {
    min(max((blackCode + (value - black) * scale).rounded(), 0), top)
  }

  private static func extremes(
    of samples: borrowing StoredSamples,
    bits: Int
  ) throws(DNGWritingError) -> (lowest: Double, highest: Double) {
    var lowest = Double.infinity
    var highest = -Double.infinity
    for y in 0..<samples.height {
      for value in samples.values(ofRow: y) {
        guard value.isFinite else {
          throw .unrepresentableSample(row: y, target: "integers of \(bits) bits")
        }
        lowest = min(lowest, value)
        highest = max(highest, value)
      }
    }
    return (lowest, highest)
  }

  /// All samples' codes; `error` gets how far they are from the samples, in the samples' own units.
  func convert(
    _ samples: borrowing StoredSamples,
    error: inout DNGSampleError?
  ) throws(DNGWritingError) -> Plane<UInt16> {
    var codes: Plane<UInt16>
    do {
      codes = try Plane<UInt16>(width: samples.width, height: samples.height)
    } catch {
      throw .memory(error)
    }
    var (worst, squares, worstInSigma, squaresInSigma) = (0.0, 0.0, 0.0, 0.0)
    for y in 0..<samples.height {
      let row = samples.values(ofRow: y)
      codes.withMutableRow(y) { target in
        for x in row.indices {
          let linear = (row[x] - origin) * scale
          let code = code(of: linear, x: x, y: y)
          target[x] = code
          let distance = abs(decoded(code) - linear)
          let inSigma = distance / levels.sigma(linear, of: noise)
          worst = max(worst, distance)
          worstInSigma = max(worstInSigma, inSigma)
          squares += distance * distance
          squaresInSigma += inSigma * inSigma
        }
      }
    }
    let count = Double(max(1, samples.width * samples.height))
    error = DNGSampleError(
      worstStepInSigma: table?.worstStepInSigma(levels, noise)
        ?? 1 / levels.sigma(levels.black, of: noise),
      worstInCodes: worst / scale,
      rmsInCodes: (squares / count).squareRoot() / scale,
      worstInSigma: worstInSigma,
      rmsInSigma: (squaresInSigma / count).squareRoot(),
      clippedCount: 0
    )
    return codes
  }

  private func decoded(_ code: UInt16) -> Double {
    guard let table else { return Double(code) }
    return Double(table.decoded[Int(code)])
  }

  private func code(of linear: Double, x: Int, y: Int) -> UInt16 {
    let linear = min(max(linear, 0), Self.top)
    guard let table else { return UInt16(linear.rounded()) }
    let decoded = table.decoded
    var lower = Int(table.encoded[Int(linear)])
    while lower > 0, Double(decoded[lower]) > linear { lower -= 1 }
    while lower + 1 < decoded.count, Double(decoded[lower + 1]) <= linear { lower += 1 }
    guard lower + 1 < decoded.count else { return UInt16(lower) }
    let part =
      (linear - Double(decoded[lower])) / (Double(decoded[lower + 1]) - Double(decoded[lower]))
    let limit = isDithered ? Double(PositionNoise.value(x: x, y: y)) / 65_536 : 0.5
    return UInt16(part > limit ? lower + 1 : lower)
  }
}
