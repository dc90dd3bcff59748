internal import Raster
internal import RawModel

extension DespeckleStage {
  /// What of each measure of structure noise alone has, in its deviations: the range of eight samples, that
  /// of six, and the difference of means that says how far the neighbours stand out (whose own deviation is
  /// `standingNoise` of theirs).
  private static let rangeOfEight: Float = 3
  private static let rangeOfSix: Float = 3.5
  private static let standingNoise: Float = 0.7071
  /// How much of the rest counts.
  private static let spreadWeight: Float = 0.5
  private static let standingWeight: Float = 10

  /// How far a photosite may lie beyond its neighbours because of what the picture shows there, over what
  /// noise does to the same measures.
  ///
  /// - Half the range of the eight neighbours.
  /// - The range of other colours beside it: six photosites left and right of it in its row and those two away,
  ///   or above and below it in the same way.
  /// - Ten times how far the four photosites beside it stand out from those three away, to its own side: what a
  ///   lens draws is never narrower than a photosite, and a star's light falls on the neighbours too.
  ///
  /// Other colours are balanced.
  ///
  /// `excess`: over the mean of the neighbours, which is `light` where it is positive.
  /// `spread`: the neighbours' range and their deviation of noise.
  @inline(never)
  func structure(
    _ site: Site,
    _ i: Int,
    excess: Lanes,
    light: Lanes,
    spread: (range: Lanes, deviation: Lanes)
  ) -> Lanes {
    let zero = Lanes(repeating: 0)
    let deviation = (light * site.othersSlope + site.othersOffset).portableSquareRoot
    let left = i + site.left
    let row = Sides(
      (site.beside.0[lanes: left], site.beside.0[lanes: left + 1]),
      (site.beside.1[lanes: left], site.beside.1[lanes: left + 1]),
      (site.beside.2[lanes: left], site.beside.2[lanes: left + 1])
    )
    let column = Sides(
      (site.beyond.1[lanes: i - 1], site.beyond.2[lanes: i - 1]),
      (site.beyond.1[lanes: i], site.beyond.2[lanes: i]),
      (site.beyond.1[lanes: i + 1], site.beyond.2[lanes: i + 1])
    )
    let farRow = site.beside.1[lanes: left - 1] + site.beside.1[lanes: left + 2]
    let farColumn = site.beyond.0[lanes: i] + site.beyond.3[lanes: i]
    let standing =
      (row.middle - farRow) * (0.25 * site.besideGain)
      + (column.middle - farColumn) * (0.25 * site.beyondGain)
    let toItsSide = standing.replacing(with: zero - standing, where: excess .< zero)
    let range = (row.length * site.besideGain).maximum(column.length * site.beyondGain)
    return (spread.range - spread.deviation * Self.rangeOfEight).maximum(zero) * Self.spreadWeight
      + (range - deviation * Self.rangeOfSix).maximum(zero)
      + (toItsSide - deviation * Self.standingNoise).maximum(zero) * Self.standingWeight
  }

  /// Six samples on the two sides of a photosite.
  private struct Sides {
    /// Largest less smallest.
    let length: Lanes
    /// Sum of the two beside it.
    let middle: Lanes

    @inline(__always)
    init(_ first: (Lanes, Lanes), _ beside: (Lanes, Lanes), _ last: (Lanes, Lanes)) {
      let high = first.0.maximum(first.1).maximum(last.0.maximum(last.1))
      let low = first.0.minimum(first.1).minimum(last.0.minimum(last.1))
      length =
        high.maximum(beside.0.maximum(beside.1)) - low.minimum(beside.0.minimum(beside.1))
      middle = beside.0 + beside.1
    }
  }

  /// Half rows around the photosites of one half row, and what is known of their colours.
  struct Site {
    /// Of the same colour: two rows above, the row itself, two rows below.
    let own: (SampleRow, SampleRow, SampleRow)
    /// Of the other columns, in the same rows; index `left` is the photosite to the left, the next the one to
    /// the right.
    let beside: (SampleRow, SampleRow, SampleRow)
    /// Three and one rows above, one and three rows below.
    let beyond: (SampleRow, SampleRow, SampleRow, SampleRow)
    let left: Int
    /// Variance of the colour's noise: slope x light + offset.
    let slope: Float
    let offset: Float
    /// What samples of the colours beside and beyond are multiplied by to be like the own colour's.
    let besideGain: Float
    let beyondGain: Float
    /// Mean variance of the noise of both, after that, by the light of the own colour.
    let othersSlope: Float
    let othersOffset: Float

    init(_ stage: DespeckleStage, _ input: MosaicTile, row y: Int, isOdd: Bool) {
      func half(_ y: Int, _ isOdd: Bool) -> SampleRow { isOdd ? input.odd(y) : input.even(y) }
      own = (half(y - 2, isOdd), half(y, isOdd), half(y + 2, isOdd))
      beside = (half(y - 2, !isOdd), half(y, !isOdd), half(y + 2, !isOdd))
      beyond = (half(y - 3, isOdd), half(y - 1, isOdd), half(y + 1, isOdd), half(y + 3, isOdd))
      left = isOdd ? 0 : -1
      let cell = stage.pattern.colors
      let place = 2 * (y & 1) + (isOdd ? 1 : 0)
      let (color, first, second) = (cell[place], cell[place ^ 1], cell[place ^ 2])
      slope = stage.slopes[color]
      offset = stage.offsets[color]
      let a = stage.gains[first] / stage.gains[color]
      let b = stage.gains[second] / stage.gains[color]
      besideGain = a
      beyondGain = b
      // Light of the other colour is the own one's over the gain, its deviation is multiplied by it.
      othersSlope = 0.5 * (stage.slopes[first] * a + stage.slopes[second] * b)
      othersOffset = 0.5 * (stage.offsets[first] * a * a + stage.offsets[second] * b * b)
    }
  }
}
