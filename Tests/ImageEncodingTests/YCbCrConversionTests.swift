import ImageEncoding
import Testing

@Suite struct YCbCrConversionTests {
  /// BT.601-7 2.5.1 in doubles, chroma of the mean of four pixels.
  private static func exact(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return [luma, (blue - luma) / 1.772 + 128, (red - luma) / 1.402 + 128]
  }

  /// A pixel pair of rows through the kernel: luma of the first pixel, and both chroma samples.
  private static func convert(
    _ top: [UInt8],
    _ bottom: [UInt8]
  ) -> (top: [UInt8], bottom: [UInt8], blue: [UInt8], red: [UInt8]) {
    let width = top.count / 3
    // A copy of its own: the kernel takes rows at the same place for one row.
    let bottom = bottom.map { $0 }
    var lumaTop = [UInt8](repeating: 0, count: width)
    var lumaBottom = lumaTop
    var blue = [UInt8](repeating: 0, count: (width + 1) / 2)
    var red = blue
    unsafe convertRowPair(
      width: width,
      top: top,
      bottom: bottom,
      lumaTop: &lumaTop,
      lumaBottom: &lumaBottom,
      blue: &blue,
      red: &red
    )
    return (lumaTop, lumaBottom, blue, red)
  }

  /// Every colour of a 6-code lattice and the corners: within half a code and the weights' rounding.
  @Test func everyColorIsWithinRoundingOfTheFormula() {
    var worst = 0.0
    let lattice = Array(stride(from: 0, through: 255, by: 5))
    for red in lattice {
      for green in lattice {
        let top = lattice.flatMap { [UInt8(red), UInt8(green), UInt8($0)] }
        let doubled = top.indices.flatMap {
          $0 % 3 == 0 ? Array(top[$0..<$0 + 3] + top[$0..<$0 + 3]) : []
        }
        let result = Self.convert(doubled, doubled)
        for (index, blue) in lattice.enumerated() {
          let expected = Self.exact(Double(red), Double(green), Double(blue)).map { min(255, $0) }
          worst = max(worst, abs(Double(result.top[2 * index]) - expected[0]))
          worst = max(worst, abs(Double(result.blue[index]) - expected[1]))
          worst = max(worst, abs(Double(result.red[index]) - expected[2]))
        }
      }
    }
    #expect(worst <= 0.503)
  }

  @Test func greysStayGrey() {
    for grey in UInt8.min...UInt8.max {
      let row = [UInt8](repeating: grey, count: 6)
      let result = Self.convert(row, row)
      #expect(result.top == [grey, grey] && result.bottom == [grey, grey])
      #expect(result.blue == [128] && result.red == [128])
    }
  }

  /// The last column of an odd width counts twice, and chroma is the mean of its pixels.
  @Test func oddWidthsRepeatTheirLastColumn() {
    let top: [UInt8] = [10, 20, 30, 50, 60, 70, 200, 103, 0]
    let bottom: [UInt8] = [12, 24, 36, 58, 60, 62, 100, 100, 100]
    let result = Self.convert(top, bottom)
    let first = Self.exact(
      (10 + 50 + 12 + 58) / 4.0,
      (20 + 60 + 24 + 60) / 4.0,
      (30 + 70 + 36 + 62) / 4.0
    )
    let last = Self.exact(150, 101.5, 50)
    #expect(result.blue == [UInt8(first[1].rounded()), UInt8(last[1].rounded())])
    #expect(result.red == [UInt8(first[2].rounded()), UInt8(last[2].rounded())])
    #expect(result.top[2] == UInt8(Self.exact(200, 103, 0)[0].rounded()))
    #expect(result.bottom[2] == 100)
  }
}
