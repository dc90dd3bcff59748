internal import RawModel

extension LinearizationStage {
  /// Linearises one row of a mosaic into its even and its odd columns.
  ///
  /// `codes` is row `row` of the active area from column `first`, which is even, for `count` columns;
  /// up to 15 codes past them are read. `colors` are the filter colours of even and odd columns, `gains`
  /// their white balance or 1, `start` is the index in `even` and `odd` of the first pair of columns,
  /// `blacks` is scratch.
  @inline(__always)
  func mosaicRow(
    _ codes: UnsafePointer<UInt16>,
    row: Int,
    first: Int,
    count: Int,
    colors: (Int, Int),
    gains: (Float, Float),
    even: SampleRow,
    odd: SampleRow,
    start: Int,
    blacks: (even: SampleRow, odd: SampleRow)
  ) {
    let scaleEven = Lanes(repeating: scales[colors.0])
    let scaleOdd = Lanes(repeating: scales[colors.1])
    let gainEven = Lanes(repeating: gains.0)
    let gainOdd = Lanes(repeating: gains.1)
    let one = Lanes(repeating: 1)
    let raw = unsafe UnsafeRawPointer(codes)
    let low = BitLanes(repeating: 0xFFFF)
    let sixteen = BitLanes(repeating: 16)
    switch black {
    case .constant(let level):
      let blackEven = Lanes(repeating: Float(level.level(row: row, column: first, sample: 0)))
      let blackOdd = Lanes(repeating: Float(level.level(row: row, column: first + 1, sample: 0)))
      for offset in stride(from: 0, to: count, by: 16) {
        // Little endian: a pair of codes is one word, the even column in its low half.
        let pairs = unsafe raw.loadUnaligned(fromByteOffset: offset * 2, as: BitLanes.self)
        let index = start + offset / 2
        let a = Lanes(exactly: pairs & low) - blackEven
        even[lanes: index] = (a * scaleEven).minimum(one) * gainEven
        let b = Lanes(exactly: pairs &>> sixteen) - blackOdd
        odd[lanes: index] = (b * scaleOdd).minimum(one) * gainOdd
      }
    case .varying(let level):
      fillBlacks(level, row: row, first: first, count: count, blacks: blacks)
      for offset in stride(from: 0, to: count, by: 16) {
        let pairs = unsafe raw.loadUnaligned(fromByteOffset: offset * 2, as: BitLanes.self)
        let index = start + offset / 2
        let a = Lanes(exactly: pairs & low) - blacks.even[lanes: offset / 2]
        even[lanes: index] = (a * scaleEven).minimum(one) * gainEven
        let b = Lanes(exactly: pairs &>> sixteen) - blacks.odd[lanes: offset / 2]
        odd[lanes: index] = (b * scaleOdd).minimum(one) * gainOdd
      }
    }
  }

  /// The black levels of `count` columns from `first`, which is even, of one sample.
  func fillBlacks(
    _ level: BlackLevel,
    row: Int,
    first: Int,
    count: Int,
    sample: Int = 0,
    blacks: (even: SampleRow, odd: SampleRow)
  ) {
    let columns = level.repeatColumns
    let patternRow = (row % level.repeatRows) * columns
    let delta = level.deltaV.isEmpty ? 0 : level.deltaV[row]
    var column = first % columns
    for offset in 0..<count {
      var value = level.values[(patternRow + column) * level.samplesPerPixel + sample]
      if !level.deltaH.isEmpty { value += level.deltaH[first + offset] }
      value += delta
      if offset & 1 == 0 {
        blacks.even[offset >> 1] = Float(value)
      } else {
        blacks.odd[offset >> 1] = Float(value)
      }
      column += 1
      if column == columns { column = 0 }
    }
  }
}
