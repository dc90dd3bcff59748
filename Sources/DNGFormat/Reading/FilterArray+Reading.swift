internal import RawModel
internal import TIFFContainer

extension FilterArray {
  /// The colour filter array as stored: CFARepeatPatternDim, CFAPattern, CFAPlaneColor and CFALayout.
  ///
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
    let (rows, columns) = (dimensions[0], dimensions[1])
    guard let colors = try raw.integers(.cfaPattern, count: 1...4096) else {
      throw .container(.missingTag(raw.site(.cfaPattern)))
    }
    guard colors.count == rows * columns else {
      throw raw.inconsistent(
        .cfaPattern,
        "has \(colors.count) values for a pattern of \(rows)x\(columns)"
      )
    }
    let planeColors = try raw.integers(.cfaPlaneColor, count: 1...16) ?? [0, 1, 2]
    if let stray = colors.first(where: { !planeColors.contains($0) }) {
      throw raw.inconsistent(.cfaPattern, "has the colour \(stray), which no plane has")
    }
    self.init(
      rows: rows,
      columns: columns,
      colors: colors,
      planeColors: planeColors,
      arrangement: try raw.integer(.cfaLayout) ?? 1
    )
  }
}
