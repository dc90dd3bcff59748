internal import RawModel

extension LinearizationStage {
  /// Linearises one row of a LinearRaw into the even and odd columns of each colour, without balance.
  ///
  /// `codes` is row `row` of the active area from column `first`, which is even, for `count` columns,
  /// with `planes` samples a pixel: 3, or 1, which gives all three colours the same value. `start` is
  /// the index in the rows of red, green and blue of the first pair of columns.
  func linearRow(
    _ codes: UnsafePointer<UInt16>,
    planes: Int,
    row: Int,
    first: Int,
    count: Int,
    even: [3 of SampleRow],
    odd: [3 of SampleRow],
    start: Int
  ) {
    let level =
      switch black {
      case .constant(let level), .varying(let level): level
      }
    for color in 0..<3 {
      let sample = min(color, planes - 1)
      let scale = scales[color]
      for offset in 0..<count {
        let code = unsafe codes[offset * planes + sample]
        let linear = table.map { Int($0[Int(code)]) } ?? Int(code)
        let black = Float(level.level(row: row, column: first + offset, sample: sample))
        let value = min((Float(linear) - black) * scale, 1)
        let index = start + offset >> 1
        if offset & 1 == 0 {
          even[color][index] = value
        } else {
          odd[color][index] = value
        }
      }
    }
  }
}
