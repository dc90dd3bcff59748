internal import RawModel
internal import TIFFContainer

extension HueSatMap {
  /// Entries of one table: 90 hues, 30 saturations and 16 values, the largest in use, take 43,200.
  private static let entryLimit = 1 << 20

  /// Divisions of a table (ProfileHueSatMapDims, ProfileLookTableDims): hue, saturation, value.
  struct Divisions {
    let hue: Int
    let saturation: Int
    let value: Int

    /// - Throws: `container`, `profileTable`.
    init?(_ directory: DNGDirectory, _ tag: TIFFTag) throws(DNGReadError) {
      guard let numbers = try directory.integers(tag, count: 3...3) else { return nil }
      // Each is bounded first, so that the products fit.
      guard numbers.allSatisfy({ (1...HueSatMap.entryLimit).contains($0) }), numbers[1] >= 2,
        numbers[0] * numbers[1] <= HueSatMap.entryLimit,
        numbers[0] * numbers[1] * numbers[2] <= HueSatMap.entryLimit
      else {
        throw directory.damagedTable(
          tag,
          "is \(numbers) (hue, saturation, value); expected at least 1, 2, 1 and at most "
            + "\(HueSatMap.entryLimit) entries"
        )
      }
      hue = numbers[0]
      saturation = numbers[1]
      value = numbers[2]
    }
  }

  /// A table of floats; nil where it is absent.
  ///
  /// - Throws: `container`, `profileTable`.
  init?(
    _ directory: DNGDirectory,
    _ tag: TIFFTag,
    _ divisions: Divisions,
    encoding: Encoding
  ) throws(DNGReadError) {
    let count = divisions.hue * divisions.saturation * divisions.value
    guard let numbers = try directory.numbers(tag, count: 1...3 * Self.entryLimit) else {
      return nil
    }
    guard numbers.count == 3 * count else {
      throw directory.damagedTable(
        tag,
        "has \(numbers.count) values; its divisions take \(3 * count)"
      )
    }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      let entry = Entry(
        hueShift: Float(numbers[3 * index]),
        saturationScale: Float(numbers[3 * index + 1]),
        valueScale: Float(numbers[3 * index + 2])
      )
      guard abs(entry.hueShift) <= 360, entry.saturationScale >= 0, entry.valueScale >= 0,
        entry.saturationScale.isFinite, entry.valueScale.isFinite
      else {
        throw directory.damagedTable(
          tag,
          "has an entry with a shift over 360 degrees or a scale that is negative or infinite"
        )
      }
      entries.append(entry)
    }
    self.init(
      hueDivisions: divisions.hue,
      saturationDivisions: divisions.saturation,
      valueDivisions: divisions.value,
      entries: entries,
      encoding: encoding
    )
  }
}

extension HueSatMap.Encoding {
  /// ProfileHueSatMapEncoding or ProfileLookTableEncoding; linear where it is absent.
  ///
  /// - Throws: `container`.
  init(_ directory: DNGDirectory, _ tag: TIFFTag) throws(DNGReadError) {
    self = try directory.integer(tag, in: 0...1) == 1 ? .sRGB : .linear
  }
}
