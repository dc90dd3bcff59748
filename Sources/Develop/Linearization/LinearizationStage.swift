internal import ColorScience
internal import Raster
internal import RawModel

/// Stored codes to linear samples, white being 1, and their white balance.
///
/// `min((table[code] - black) / (white - highest black), 1)`, then `x gain`, where `gain` is the white
/// balance of the sample's colour (the demosaic works best on balanced data; the camera matrix is built
/// for them). Stages on linear samples run between the two. Codes past the table's end take its last
/// entry; values under black stay negative, so that noise keeps its mean. DNG 1.7.1 chapter 5, "Mapping
/// Raw Values to Linear Reference Values". Version 2: the product is rounded in two steps.
struct LinearizationStage: Sendable {
  static let name = "linearization"
  static let version = 2

  /// All 65536 entries; nil for the identity.
  let table: [UInt16]?
  let black: Black
  /// For each colour (0 red, 1 green, 2 blue): one over the range from black to white.
  let scales: [Float]
  /// For each colour: the white balance, which is also what the white level becomes.
  let gains: [Float]

  /// The black level in the form that a kernel needs.
  enum Black: Sendable {
    /// One level for each photosite of a 2x2 cell or each sample of a pixel.
    case constant(BlackLevel)
    /// Another pattern, or levels that change along rows or columns.
    case varying(BlackLevel)
  }

  /// No code under this one gives a sample of `level` or more; nil where that cannot be told, as the table
  /// falls.
  func lowestCode(reaching level: Float) -> Double? {
    let blacks =
      switch black {
      case .constant(let level), .varying(let level): level
      }
    let lowest =
      (blacks.values.min() ?? 0) + (blacks.deltaH.min() ?? 0) + (blacks.deltaV.min() ?? 0)
    guard let steepest = scales.max() else { return nil }
    // Less than exact, for what rounding may do to codes of 24 bits.
    let range = 1 / Double(steepest)
    let linear = Double(level) * range + lowest - 1e-6 * (range + abs(lowest))
    guard let table else { return linear }
    var previous: UInt16 = 0
    for entry in table {
      guard entry >= previous else { return nil }
      previous = entry
    }
    guard let code = table.firstIndex(where: { Double($0) >= linear }) else { return 65535 }
    return Double(code)
  }

  /// Sets the stage up for white balance gains of red, green and blue.
  ///
  /// - Throws: `levelsUnusable`, or `geometryUnusable` for levels of another shape than the picture.
  init(_ description: RawDescription, gains: Vector3) throws(DevelopError) {
    let level = description.blackLevel
    let samples = description.layout.samplesPerPixel
    let area = description.activeArea
    guard level.samplesPerPixel == samples, level.repeatRows > 0, level.repeatColumns > 0 else {
      throw .geometryUnusable(tag: "BlackLevel", reason: "has another number of samples")
    }
    guard level.deltaH.isEmpty || level.deltaH.count == area.width,
      level.deltaV.isEmpty || level.deltaV.count == area.height
    else {
      throw .geometryUnusable(tag: "BlackLevelDelta", reason: "does not fit the active area")
    }
    guard description.whiteLevel.count == samples else {
      throw .geometryUnusable(tag: "WhiteLevel", reason: "has another number of samples")
    }
    var scales: [Float] = []
    for color in 0..<3 {
      // A mosaic has one sample a pixel, with one white for all its colours.
      let sample = min(color, samples - 1)
      let white = description.whiteLevel[sample]
      let highest = Self.highestBlack(level, sample: sample)
      guard white.isFinite, highest.isFinite, white > highest, white - highest < 1e10 else {
        throw .levelsUnusable(sample: sample, black: highest, white: white)
      }
      scales.append(Float(1 / (white - highest)))
    }
    self.scales = scales
    self.gains = (0..<3).map { Float(gains[$0]) }
    table = description.linearizationTable.flatMap(Self.extended)
    let isSmall =
      level.repeatRows <= 2 && level.repeatColumns <= 2 && level.deltaH.isEmpty
      && level.deltaV.isEmpty
    black = isSmall ? .constant(level) : .varying(level)
  }

  private static func highestBlack(_ level: BlackLevel, sample: Int) -> Double {
    // max() would drop a value that is not a number.
    for values in [level.values, level.deltaH, level.deltaV] {
      if let unusable = values.first(where: { !$0.isFinite }) { return unusable }
    }
    return level.highest(sample: sample)
  }

  /// The table with its last entry repeated for all higher codes; nil for an empty one.
  private static func extended(_ table: [UInt16]) -> [UInt16]? {
    guard let last = table.last else { return nil }
    return Array(table.prefix(65536)) + Array(repeating: last, count: max(0, 65536 - table.count))
  }
}
