internal import HistogramPlot
internal import JSON

extension StatisticsDocument.Levels {
  /// Codes of 16 bits: what a document of anyone's may claim is drawn and summed.
  private static let levelCount = 65_536

  init(json: JSONValue) throws(JSONError) {
    firstLevel = try json.requireInteger("firstLevel")
    counts = try json.requireCounts("counts", limit: Self.levelCount)
    guard firstLevel >= 0, firstLevel + counts.count <= Self.levelCount else {
      throw .unexpectedKind(
        key: "firstLevel",
        expected: "levels from 0 to \(Self.levelCount - 1)",
        found: "\(firstLevel)"
      )
    }
  }
}

extension HistogramChart.Noise {
  /// The noise of a plane; nil where nothing is known of it.
  init?(_ plane: JSONValue) throws(JSONError) {
    func line(_ value: JSONValue) throws(JSONError) -> Line {
      Line(slope: try value.requireDouble("slope"), offset: try value.requireDouble("offset"))
    }
    let declared = try plane.optional("declaredNoise") { (key) throws(JSONError) in
      try line(plane.require(key))
    }
    guard let noise = plane["noise"], !noise.isNull else {
      guard let declared else { return nil }
      self.init(bins: [], fit: nil, declared: declared)
      return
    }
    var bins: [(signal: Double, variance: Double)] = []
    for bin in try noise.requireArray("bins") {
      bins.append((try bin.requireDouble("signal"), try bin.requireDouble("variance")))
    }
    self.init(bins: bins, fit: try line(noise), declared: declared)
  }
}

extension JSONValue {
  /// A member that is an array of counts, whose sum is a number too.
  func requireCounts(_ key: String, limit: Int) throws(JSONError) -> [Int] {
    let elements = try requireArray(key)
    guard !elements.isEmpty, elements.count <= limit else {
      throw .unexpectedKind(
        key: key,
        expected: "1 to \(limit) counts",
        found: "\(elements.count)"
      )
    }
    var counts: [Int] = []
    var sum = 0
    for element in elements {
      guard let value = element.integerValue, let count = Int(exactly: value), count >= 0 else {
        throw .unexpectedKind(key: key, expected: "counts", found: element.kindName)
      }
      let (next, hasOverflown) = sum.addingReportingOverflow(count)
      guard !hasOverflown else {
        throw .unexpectedKind(key: key, expected: "counts", found: "more than there can be")
      }
      sum = next
      counts.append(count)
    }
    return counts
  }

  /// A member that is a level, perhaps between two codes.
  func requireLevel(_ key: String) throws(JSONError) -> Double {
    let level = try requireDouble(key)
    // Black and white may lie outside of the codes, not beyond all bounds.
    guard level.magnitude <= 0x1p32 else {
      throw .unexpectedKind(key: key, expected: "a level", found: "\(level)")
    }
    return level
  }
}
