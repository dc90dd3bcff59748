internal import ColorScience
internal import Raster
internal import RawModel

/// Takes out single hot and dead photosites of a mosaic, before the demosaic can spread them.
///
/// A photosite is compared with the eight nearest of its colour. It is a speck as far as it lies beyond all
/// of them by more than four deviations of noise (of the file's model, at their mean) and by more than the
/// picture's own structure there explains: see `structure(_:_:excess:light:spread:)`. It is replaced by the mean of the
/// eight without the largest and the smallest, in the measure of the amount. It is decided by smooth steps, so
/// that the result is continuous in every sample and in the amount.
struct DespeckleStage: MosaicStage {
  static let name = "despeckle"
  static let version = 2
  let halo = 4

  /// Deviations of noise beyond the neighbours at which a speck begins.
  private static let deviations: Float = 4
  /// Share of that limit, structure included, over which it becomes one wholly.
  private static let ramp: Float = 0.5

  let amount: Float
  let pattern: CFAPattern
  /// Noise and balance of red, green and blue.
  let slopes: [3 of Float]
  let offsets: [3 of Float]
  let gains: [3 of Float]

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
    // The input begins two pairs of columns further left.
    let shift = (output.region.left - input.region.left) >> 1
    for y in output.region.rows {
      let even = Site(self, input, row: y, isOdd: false)
      let odd = Site(self, input, row: y, isOdd: true)
      for i in stride(from: 0, to: output.pairCount, by: 8) {
        output.even(y)[lanes: i] = cleaned(even, i + shift)
        output.odd(y)[lanes: i] = cleaned(odd, i + shift)
      }
    }
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
    let light = middle.maximum(Lanes(repeating: 0))
    let deviation = (light * site.slope + site.offset).portableSquareRoot
    let beyond = (value - high).maximum(low - value)
    let noise = deviation * Self.deviations + 1e-9
    // Structure only raises the limit, and few photosites are over that of the noise.
    guard (noise - beyond).hasNegative else { return value }
    let spread = (high - low, deviation)
    let limit = noise + structure(site, i, excess: value - middle, light: light, spread: spread)
    let speck = ((beyond - limit) / (limit * Self.ramp)).smoothStep
    return value + (middle - value) * (speck * amount)
  }
}
