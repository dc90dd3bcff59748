internal import RawModel
internal import TIFFContainer

extension ProfileGainTableMap {
  /// Gains of one map: cameras write 800,000 at the most.
  private static let gainLimit = 1 << 24

  /// The bytes before the gains: of version 1, and what version 2 adds.
  private static let headerLimit = 80

  /// The file's map: ProfileGainTableMap (52525) of IFD 0 (DNG 1.7) or of the raw's IFD (DNG 1.6).
  ///
  /// - Throws: `container`, `profileTable`.
  init?(_ file: DNGFile, _ warnings: inout ReadWarnings) throws(DNGReadError) {
    if let map = try ProfileGainTableMap(file.main, version: 1, &warnings) {
      self = map
    } else if file.rawIndex != 0, let map = try ProfileGainTableMap(file.raw, version: 2, &warnings)
    {
      self = map
    } else if file.rawIndex != 0, let map = try ProfileGainTableMap(file.raw, version: 1, &warnings)
    {
      self = map
    } else {
      return nil
    }
  }

  /// ProfileGainTableMap (version 1) or ProfileGainTableMap2 (version 2) of one IFD.
  ///
  /// - Throws: `container`, `profileTable`.
  init?(
    _ directory: DNGDirectory,
    version: Int,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    let tag: TIFFTag = version == 1 ? .profileGainTableMap : .profileGainTableMap2
    guard
      var bytes = try ProfileBytes(directory, tag, limit: Self.headerLimit + 4 * Self.gainLimit)
    else { return nil }
    let pointsV = try bytes.points("MapPointsV", limit: Self.gainLimit)
    let pointsH = try bytes.points("MapPointsH", limit: Self.gainLimit)
    let spacingV = try bytes.spacing("MapSpacingV", points: pointsV)
    let spacingH = try bytes.spacing("MapSpacingH", points: pointsH)
    let originV = try bytes.double("MapOriginV")
    let originH = try bytes.double("MapOriginH")
    let pointsN = try bytes.points("MapPointsN", limit: Self.gainLimit)
    var weights: [5 of Float] = .init(repeating: 0)
    for index in weights.indices { weights[index] = try bytes.float("MapInputWeights") }
    let count = (pointsV * pointsH).multipliedOrMax(pointsN)
    guard count <= Self.gainLimit else {
      throw bytes.damage("has \(pointsV)x\(pointsH)x\(pointsN) gains (limit \(Self.gainLimit))")
    }
    var coding = Coding.float32
    var gamma: Float = 1
    var range: (low: Float, high: Float) = (1, 1)
    if version == 2 {
      let type = try bytes.uint32()
      guard let stored = Coding(rawValue: type) else {
        throw bytes.damage("has \(type) as DataType; expected 0 to 3")
      }
      coding = stored
      gamma = try bytes.float("Gamma")
      guard (0.25...4).contains(gamma) else {
        throw bytes.damage("has \(gamma) as Gamma; expected 0.25 to 4")
      }
      range = (try bytes.float("GainMin"), try bytes.float("GainMax"))
      guard range.low >= 0, range.low <= range.high else {
        throw bytes.damage("has gains from \(range.low) to \(range.high)")
      }
    }
    try bytes.need(count * coding.byteCount)
    if bytes.remaining > count * coding.byteCount {
      warnings.add(
        "\(directory.site(tag)) has \(bytes.remaining - count * coding.byteCount) bytes after its gains"
      )
    }
    var gains: [Float] = []
    gains.reserveCapacity(count)
    for _ in 0..<count {
      let gain = try coding.gain(&bytes, range)
      guard gain.isFinite, gain >= 0 else {
        throw bytes.damage("has a gain that is negative or no number")
      }
      gains.append(gain)
    }
    self.init(
      version: version,
      pointsV: pointsV,
      pointsH: pointsH,
      spacingV: spacingV,
      spacingH: spacingH,
      originV: originV,
      originH: originH,
      pointsN: pointsN,
      inputWeights: weights,
      gamma: gamma,
      gains: gains
    )
  }

  /// How gains are stored (DataType); version 1 has floats.
  private enum Coding: Int {
    case uint8 = 0
    case uint16 = 1
    case float16 = 2
    case float32 = 3

    var byteCount: Int {
      switch self {
      case .uint8: 1
      case .uint16, .float16: 2
      case .float32: 4
      }
    }

    /// Integers go linearly from GainMin to GainMax.
    func gain(
      _ bytes: inout ProfileBytes,
      _ range: (low: Float, high: Float)
    ) throws(DNGReadError) -> Float {
      switch self {
      case .uint8:
        return range.low + Float(try bytes.uint8()) / 255 * (range.high - range.low)
      case .uint16:
        return range.low + Float(try bytes.uint16()) / 65_535 * (range.high - range.low)
      case .float16:
        return Float(Float16(bitPattern: UInt16(try bytes.uint16())))
      case .float32:
        return try bytes.float("the gains")
      }
    }
  }
}

extension ProfileBytes {
  fileprivate mutating func points(_ what: String, limit: Int) throws(DNGReadError) -> Int {
    let value = try uint32()
    guard (1...limit).contains(value) else {
      throw damage("has \(value) as \(what); expected 1 to \(limit)")
    }
    return value
  }

  /// Without meaning where there is only one point.
  fileprivate mutating func spacing(_ what: String, points: Int) throws(DNGReadError) -> Double {
    let value = try double(what)
    guard value > 0 || points == 1 else {
      throw damage("has \(value) as \(what); it must be above 0")
    }
    return value
  }
}
