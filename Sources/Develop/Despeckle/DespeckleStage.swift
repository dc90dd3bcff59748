internal import ColorScience
internal import Raster
internal import RawModel

/// Takes out single hot and dead photosites of a mosaic, before the demosaic can spread them.
///
/// A photosite is compared with the eight nearest of its colour. It is a speck as far as it lies beyond all
/// of them by more than five deviations of noise (of the file's model, at the mean of the eight), and as
/// long as the photosites of other colours beside it do not stand out as well: what a lens draws is never
/// narrower than a photosite, a star's light falls on its neighbours too. The speck is replaced by the mean
/// of the eight without the largest and the smallest, in the measure of the amount. It is decided by smooth
/// steps, so that the result is continuous in every sample and in the amount. Version 1.
struct DespeckleStage: MosaicStage {
  static let name = "despeckle"
  let halo = 4

  /// Deviations of noise beyond the neighbours at which a speck begins, and as many more to be one wholly.
  private static let deviations: Float = 5
  /// Share of a sample's excess that its neighbours of other colours may have, and from which on it is no
  /// speck.
  private static let shareStart: Float = 0.1
  private static let shareEnd: Float = 0.25

  private let amount: Float
  private let pattern: CFAPattern
  /// Noise and balance of red, green and blue.
  private let slopes: [3 of Float]
  private let offsets: [3 of Float]
  private let gains: [3 of Float]

  /// Nil where the amount is 0, and without a mosaic.
  init?(_ context: StageContext) {
    let amount = context.settings.despeckleAmount
    guard amount > 0, case .mosaic(let pattern) = context.description.layout else { return nil }
    self.init(amount: amount, pattern: pattern, noise: context.noise, gains: context.gains)
  }

  /// Of samples with this noise, not balanced, and their balance.
  init(amount: Double, pattern: CFAPattern, noise: NoiseModel, gains: Vector3) {
    let noise = noise.bounded
    self.amount = Float(amount)
    self.pattern = pattern
    slopes = [Float(noise.slope.x), Float(noise.slope.y), Float(noise.slope.z)]
    offsets = [Float(noise.offset.x), Float(noise.offset.y), Float(noise.offset.z)]
    self.gains = [Float(gains.x), Float(gains.y), Float(gains.z)]
  }

  func apply(_ input: MosaicTile, into output: MosaicTile, scratch: SampleRow.Allocation) {
    let cell = pattern.colors
    // The input begins two pairs of columns further left.
    let shift = (output.region.left - input.region.left) >> 1
    for y in output.region.rows {
      let row = 2 * (y & 1)
      let colors = (even: cell[row], odd: cell[row + 1])
      let vertical = (even: cell[row ^ 2], odd: cell[(row ^ 2) + 1])
      let even = Site(
        own: rows(input.even, y),
        beside: input.odd(y),
        beyond: columns(input.even, y),
        left: -1,
        color: colors.even,
        besideColor: colors.odd,
        beyondColor: vertical.even
      )
      let odd = Site(
        own: rows(input.odd, y),
        beside: input.even(y),
        beyond: columns(input.odd, y),
        left: 0,
        color: colors.odd,
        besideColor: colors.even,
        beyondColor: vertical.odd
      )
      for i in stride(from: 0, to: output.pairCount, by: 8) {
        output.even(y)[lanes: i] = cleaned(even, i + shift)
        output.odd(y)[lanes: i] = cleaned(odd, i + shift)
      }
    }
  }

  /// Half rows around the photosites of one half row.
  private struct Site {
    /// Of the same colour: two rows above, the row itself, two rows below.
    let own: (SampleRow, SampleRow, SampleRow)
    /// Of the same row; index `left` is the photosite to the left, the next the one to the right.
    let beside: SampleRow
    /// Three and one rows above, one and three rows below.
    let beyond: (SampleRow, SampleRow, SampleRow, SampleRow)
    let left: Int
    let color: Int
    let besideColor: Int
    let beyondColor: Int
  }

  private func rows(
    _ half: (Int) -> SampleRow,
    _ y: Int
  ) -> (SampleRow, SampleRow, SampleRow) {
    (half(y - 2), half(y), half(y + 2))
  }

  private func columns(
    _ half: (Int) -> SampleRow,
    _ y: Int
  ) -> (SampleRow, SampleRow, SampleRow, SampleRow) {
    (half(y - 3), half(y - 1), half(y + 1), half(y + 3))
  }

  @inline(__always)
  private func cleaned(_ site: Site, _ i: Int) -> Lanes {
    let value = site.own.1[lanes: i]
    let around: [8 of Lanes] = [
      site.own.0[lanes: i - 1], site.own.0[lanes: i], site.own.0[lanes: i + 1],
      site.own.1[lanes: i - 1], site.own.1[lanes: i + 1],
      site.own.2[lanes: i - 1], site.own.2[lanes: i], site.own.2[lanes: i + 1],
    ]
    var high = around[0]
    var low = around[0]
    var sum = around[0]
    for index in 1..<8 {
      high = high.maximum(around[index])
      low = low.minimum(around[index])
      sum += around[index]
    }
    let middle = (sum - high - low) * (1.0 / 6)
    let variance = middle.maximum(Lanes(repeating: 0)) * slopes[site.color] + offsets[site.color]
    let limit = variance.portableSquareRoot * Self.deviations + 1e-9
    let beyond = (value - high).maximum(low - value)
    let speck = ((beyond - limit) / limit).smoothStep
    let share = standingOut(site, i, value - middle)
    let range = 1 / (Self.shareEnd - Self.shareStart)
    let lone = Lanes(repeating: 1) - ((share - Self.shareStart) * range).smoothStep
    return value + (middle - value) * (speck * lone * amount)
  }

  /// How much the four photosites beside one stand out from those three away, as a share of its own excess,
  /// balanced.
  @inline(__always)
  private func standingOut(_ site: Site, _ i: Int, _ excess: Lanes) -> Lanes {
    let left = i + site.left
    let nearRow = site.beside[lanes: left] + site.beside[lanes: left + 1]
    let farRow = site.beside[lanes: left - 1] + site.beside[lanes: left + 2]
    let nearColumn = site.beyond.1[lanes: i] + site.beyond.2[lanes: i]
    let farColumn = site.beyond.0[lanes: i] + site.beyond.3[lanes: i]
    let row = (nearRow - farRow) * (0.25 * gains[site.besideColor])
    let column = (nearColumn - farColumn) * (0.25 * gains[site.beyondColor])
    let own = excess * gains[site.color]
    let tiny = Lanes(repeating: 1e-12)
    return (row + column) * own / (own * own).maximum(tiny)
  }
}
