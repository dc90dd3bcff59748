/// Bayer mosaic to three colours: the mean of the nearest samples of each colour.
///
/// Version 1.
/// At a colour site green is the mean of the four beside it and the other colour that of the four at the
/// corners; at a green site both colours are means of two. It reads the half rows that `MenonDemosaic`
/// was given, in the same terms (see there), one row above and below.
struct BilinearDemosaic {
  let colors: RowRing
  let greens: RowRing

  /// The three colours of row `y`, as `MenonDemosaic.finish` gives them.
  func finish(
    _ y: Int,
    phase: Int,
    count: Int,
    atColors: [3 of SampleRow],
    atGreens: [3 of SampleRow]
  ) {
    let left = phase - 1
    let color = colors[y]
    let colorAbove = colors[y - 1]
    let colorBelow = colors[y + 1]
    let green = greens[y]
    let greenAbove = greens[y - 1]
    let greenBelow = greens[y + 1]
    for i in stride(from: 0, to: count, by: 8) {
      let greenRow = green[lanes: i + left] + green[lanes: i + left + 1]
      let greenColumn = greenAbove[lanes: i] + greenBelow[lanes: i]
      let cornersAbove = colorAbove[lanes: i + left] + colorAbove[lanes: i + left + 1]
      let cornersBelow = colorBelow[lanes: i + left] + colorBelow[lanes: i + left + 1]
      atColors[0][lanes: i] = color[lanes: i]
      atColors[1][lanes: i] = (greenRow + greenColumn) * 0.25
      atColors[2][lanes: i] = (cornersAbove + cornersBelow) * 0.25

      let own = color[lanes: i - phase] + color[lanes: i - phase + 1]
      atGreens[0][lanes: i] = own * 0.5
      atGreens[1][lanes: i] = green[lanes: i]
      atGreens[2][lanes: i] = (colorAbove[lanes: i] + colorBelow[lanes: i]) * 0.5
    }
  }
}
