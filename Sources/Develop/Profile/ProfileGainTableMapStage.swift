internal import ColorScience
internal import Raster
internal import RawModel

/// The file's local tone map: ProfileGainTableMap 1 or 2, in linear RIMM, between HueSatMap and exposure.
///
/// For each pixel the weighted sum of red, green, blue, the smallest and the largest of them, as they are
/// after the baseline exposure, gives `w = clamp(sum, 0, 1)^gamma`. The pixel's place, `(x + 0.5) / width`
/// and `(y + 0.5) / height` of the active area, gives grid coordinates `(place - origin) / spacing`, held
/// within the grid; `w N` gives the place in the curve of N gains. Gains are interpolated linearly
/// along all three, and the colour is multiplied by `gain^amount`: not at all for 0, by the gain
/// itself for 1. The exposure of a recipe does not feed the sum, so it does not change the local map.
///
/// DNG 1.7.1 chapter 6, "ProfileGainTableMap", "ProfileGainTableMap2". Version 1.
struct ProfileGainTableMapStage: PixelStage, Equatable {
  static let name = "profileGainTableMap"

  private let map: ProfileGainTableMap
  private let width: Double
  private let height: Double
  /// Of red, green, blue, smallest, largest, times the baseline exposure.
  private let weights: [5 of Float]
  /// Nil for a gamma of 1.
  private let gamma: PowerTable?
  /// Nil for an amount of 1.
  private let amount: PowerTable?
  /// What the sum sees of a channel at most.
  private let ceiling: Float

  /// Gains of a map at most: 256 MB.
  static let gainLimit = 1 << 26

  init?(_ context: StageContext) throws(DevelopError) {
    let settings = context.settings
    guard let map = context.description.effectiveGainTableMap, settings.localToneMapAmount > 0
    else {
      return nil
    }
    try Self.check(map)
    self.map = map
    let size = context.description.activeArea.size
    width = Double(size.width)
    height = Double(size.height)
    let exposure = Float(PortableMath.exp2(settings.baselineExposureEV))
    let w = map.inputWeights
    weights = [
      w[0] * exposure, w[1] * exposure, w[2] * exposure, w[3] * exposure, w[4] * exposure,
    ]
    // Below a millionth of white the sum's power is that of a millionth; 1e-6^0.25 is 0.03.
    gamma =
      map.gamma == 1
      ? nil : PowerTable(exponent: Double(map.gamma), range: 0x1p-24...1)
    if settings.localToneMapAmount == 1 {
      amount = nil
    } else {
      let low = max(map.gains.min() ?? 1, 0x1p-24)
      let high = max(map.gains.max() ?? 1, low)
      amount = PowerTable(exponent: settings.localToneMapAmount, range: low...high)
    }
    ceiling = settings.isHighlightRecoveryEnabled ? .greatestFiniteMagnitude : 1
  }

  static func == (left: Self, right: Self) -> Bool {
    left.map == right.map && left.width == right.width && left.height == right.height
      && (0..<5).allSatisfy { left.weights[$0] == right.weights[$0] } && left.gamma == right.gamma
      && left.amount == right.amount && left.ceiling == right.ceiling
  }

  private static func check(_ map: ProfileGainTableMap) throws(DevelopError) {
    let tag = map.version == 1 ? "ProfileGainTableMap" : "ProfileGainTableMap2"
    func unusable(_ reason: String) -> DevelopError { .profileUnusable(tag: tag, reason: reason) }
    guard map.pointsV > 0, map.pointsH > 0, map.pointsN > 0 else { throw unusable("has no points") }
    var count = 1
    for points in [map.pointsV, map.pointsH, map.pointsN] {
      let (product, overflowed) = count.multipliedReportingOverflow(by: points)
      guard !overflowed, product <= gainLimit else {
        throw unusable("has more than \(gainLimit) gains")
      }
      count = product
    }
    guard map.gains.count == count else {
      throw unusable("has \(map.gains.count) gains for \(count) points")
    }
    let numbers = [map.spacingV, map.spacingH, map.originV, map.originH]
    guard numbers.allSatisfy(\.isFinite), map.spacingV > 0 || map.pointsV == 1,
      map.spacingH > 0 || map.pointsH == 1
    else { throw unusable("has a spacing that is not positive") }
    guard (0.25...4).contains(map.gamma) else {
      throw unusable("has the gamma \(map.gamma), outside 0.25 to 4")
    }
    guard map.inputWeights.indices.allSatisfy({ map.inputWeights[$0].isFinite }) else {
      throw unusable("has a weight that is not finite")
    }
    guard map.gains.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      throw unusable("has a gain that is negative or not finite")
    }
  }
}

extension ProfileGainTableMapStage {
  func apply(_ row: PixelRow) {
    let red = row.rows[0]
    let green = row.rows[1]
    let blue = row.rows[2]
    let v = Self.cell(
      (row.place.y + 0.5) / height,
      origin: map.originV,
      spacing: map.spacingV,
      points: map.pointsV
    )
    let above = v.index * map.pointsH
    let below = min(v.index + 1, map.pointsV - 1) * map.pointsH
    for i in row.range {
      let h = Self.cell(
        (row.place.x(i) + 0.5) / width,
        origin: map.originH,
        spacing: map.spacingH,
        points: map.pointsH
      )
      let next = min(h.index + 1, map.pointsH - 1)
      let color = SIMD3(red[i], green[i], blue[i])
      let (entry, share) = place(color)
      let top = gain(above + h.index, above + next, entry, share, h.fraction)
      let bottom = gain(below + h.index, below + next, entry, share, h.fraction)
      var gain = top + (bottom - top) * v.fraction
      if let amount { gain = gain > 0 ? amount.value(gain) : 0 }
      red[i] = color.x * gain
      green[i] = color.y * gain
      blue[i] = color.z * gain
    }
  }

  /// Where a colour lies in the curves: an index and how far it is towards the next.
  @inline(__always)
  private func place(_ color: SIMD3<Float>) -> (index: Int, fraction: Float) {
    let r = color.x > 0 ? min(color.x, ceiling) : 0
    let g = color.y > 0 ? min(color.y, ceiling) : 0
    let b = color.z > 0 ? min(color.z, ceiling) : 0
    let smallest = min(r, min(g, b))
    let largest = max(r, max(g, b))
    var sum = r * weights[0] + g * weights[1]
    sum += b * weights[2]
    sum += smallest * weights[3]
    sum += largest * weights[4]
    var w = sum > 0 ? min(sum, 1) : 0
    if let gamma, w > 0 { w = gamma.value(w) }
    let t = w * Float(map.pointsN)
    let index = min(Int(t), map.pointsN - 1)
    return (index, min(t - Float(index), 1))
  }

  @inline(__always)
  private func gain(
    _ left: Int,
    _ right: Int,
    _ entry: Int,
    _ share: Float,
    _ fraction: Float
  ) -> Float {
    let next = min(entry + 1, map.pointsN - 1)
    let l = left * map.pointsN
    let r = right * map.pointsN
    let lowLeft = map.gains[l + entry]
    let lowRight = map.gains[r + entry]
    let leftGain = lowLeft + (map.gains[l + next] - lowLeft) * share
    let rightGain = lowRight + (map.gains[r + next] - lowRight) * share
    return leftGain + (rightGain - leftGain) * fraction
  }

  /// The grid cell and the place within it of a relative position.
  @inline(__always)
  private static func cell(
    _ relative: Double,
    origin: Double,
    spacing: Double,
    points: Int
  ) -> (index: Int, fraction: Float) {
    guard points > 1 else { return (0, 0) }
    let place = min(max((relative - origin) / spacing, 0), Double(points - 1))
    let index = min(Int(place), points - 2)
    return (index, Float(place - Double(index)))
  }
}

extension RawDescription {
  /// The gain table map that counts: the profile's own, or else the file's.
  var effectiveGainTableMap: ProfileGainTableMap? { profile.gainTableMap ?? gainTableMap }
}
