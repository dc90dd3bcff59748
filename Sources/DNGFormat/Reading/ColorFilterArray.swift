internal import RawModel
internal import TIFFContainer

/// The colour filter array as stored: CFARepeatPatternDim, CFAPattern and CFAPlaneColor.
struct ColorFilterArray {
  let rows: Int
  let columns: Int
  /// A colour code for each photosite of the pattern: 0 red, 1 green, 2 blue, 3 cyan, 4 magenta,
  /// 5 yellow, 6 white (TIFF/EP, "CFAPattern").
  let colors: [Int]
  /// The colour code of each plane; red, green, blue by default.
  let planeColors: [Int]

  /// - Throws: `container` for missing or broken tags, `inconsistentTag`.
  init(_ raw: DNGDirectory) throws(DNGReadError) {
    // TIFF/EP has 2 rows and columns of bytes; X-Trans has 6, others up to 8.
    guard let dimensions = try raw.integers(.cfaRepeatPatternDim, count: 2...2) else {
      throw .container(.missingTag(raw.site(.cfaRepeatPatternDim)))
    }
    guard dimensions.allSatisfy({ (1...64).contains($0) }) else {
      throw raw.inconsistent(
        .cfaRepeatPatternDim,
        "is \(dimensions[0])x\(dimensions[1]); expected 1 to 64 each way"
      )
    }
    rows = dimensions[0]
    columns = dimensions[1]
    guard let colors = try raw.integers(.cfaPattern, count: 1...4096) else {
      throw .container(.missingTag(raw.site(.cfaPattern)))
    }
    guard colors.count == rows * columns else {
      throw raw.inconsistent(
        .cfaPattern,
        "has \(colors.count) values for a pattern of \(rows)x\(columns)"
      )
    }
    self.colors = colors
    planeColors = try raw.integers(.cfaPlaneColor, count: 1...16) ?? [0, 1, 2]
    guard let stray = colors.first(where: { !planeColors.contains($0) }) else { return }
    throw raw.inconsistent(.cfaPattern, "has the colour \(stray), which no plane has")
  }

  /// The Bayer pattern, where it is one with the planes red, green, blue.
  var pattern: CFAPattern? {
    guard rows == 2, columns == 2, planeColors == [0, 1, 2] else { return nil }
    return CFAPattern(colors: colors)
  }

  /// The colours' letters in row order, and the size where it is not 2x2.
  var text: String {
    let letters = Array("rgbcmyw")
    let text = String(colors.map { (0..<7).contains($0) ? letters[$0] : "?" })
    return rows == 2 && columns == 2 ? text : "\(rows)x\(columns) \(text)"
  }
}
