internal import ColorScience
internal import RawModel

/// A hue, saturation and value table, checked and laid out for kernels.
///
/// A colour of linear RIMM goes to HSV (hexcone; hue in sextants), the three numbers of the table are
/// interpolated linearly along hue (which wraps round), saturation and value, and then hue is shifted
/// and saturation and value are scaled: `s' = min(1, s k)`, `v' = min(v k, max(v, 1))`. A table with one
/// value division does not depend on value. With sRGB encoding, value goes through the sRGB curve
/// before the look-up, is scaled there, and comes back through its inverse; the curve is cut off at 1,
/// so values above 1 are scaled as 1 is.
///
/// DNG 1.7.1 chapter 6, "Hue/Saturation/Value Mapping Table". Channels below 0 have no hue there and
/// count as 0. Values above 1, which the specification does not have, look up what 1 looks up.
/// Version 1.
struct HueSatTable: Equatable, Sendable {
  private let hueDivisions: Int
  private let saturationDivisions: Int
  private let valueDivisions: Int
  /// Hue shift in sextants, saturation scale, value scale; the fourth is unused.
  private let entries: [SIMD4<Float>]
  private let isEncoded: Bool

  /// Entries of a table at most: 36 MB.
  static let entryLimit = 3_000_000

  /// Interpolates maps of one shape by weights that add up to 1.
  ///
  /// - Parameters:
  ///   - maps: With a weight each.
  ///   - name: The tag, for errors.
  /// - Throws: `profileUnusable` for maps without sense, or of different shapes.
  init(_ maps: [(map: HueSatMap, weight: Double)], name: String) throws(DevelopError) {
    func unusable(_ reason: String) -> DevelopError {
      .profileUnusable(tag: name, reason: reason)
    }
    guard let first = maps.first?.map else { throw unusable("has no table") }
    for (map, _) in maps {
      guard map.hueDivisions == first.hueDivisions,
        map.saturationDivisions == first.saturationDivisions,
        map.valueDivisions == first.valueDivisions, map.encoding == first.encoding
      else { throw unusable("has tables of different divisions") }
      try Self.check(map, name: name)
    }
    hueDivisions = first.hueDivisions
    saturationDivisions = first.saturationDivisions
    valueDivisions = first.valueDivisions
    isEncoded = first.encoding == .sRGB && first.valueDivisions > 1
    entries = first.entries.indices.map { index in
      var sum = SIMD4<Float>()
      for (map, weight) in maps {
        let entry = map.entries[index]
        let shift = entry.hueShift * (6 / 360)
        sum += SIMD4(shift, entry.saturationScale, entry.valueScale, 0) * Float(weight)
      }
      return sum
    }
  }

  private static func check(_ map: HueSatMap, name: String) throws(DevelopError) {
    func unusable(_ reason: String) -> DevelopError {
      .profileUnusable(tag: name, reason: reason)
    }
    let divisions = [map.hueDivisions, map.saturationDivisions, map.valueDivisions]
    guard map.hueDivisions >= 1, map.saturationDivisions >= 2, map.valueDivisions >= 1 else {
      throw unusable("has the divisions \(divisions)")
    }
    var count = 1
    for division in divisions {
      let (product, overflowed) = count.multipliedReportingOverflow(by: division)
      guard !overflowed, product <= entryLimit else {
        throw unusable("has the divisions \(divisions): more than \(entryLimit) entries")
      }
      count = product
    }
    guard map.entries.count == count else {
      throw unusable("has \(map.entries.count) entries for the divisions \(divisions)")
    }
    for entry in map.entries {
      guard entry.hueShift.isFinite, entry.saturationScale.isFinite, entry.valueScale.isFinite,
        abs(entry.hueShift) <= 36_000, entry.saturationScale >= 0, entry.valueScale >= 0
      else { throw unusable("has an entry that is negative or not finite") }
    }
  }

  /// Whether every entry leaves colours as they are.
  var isIdentity: Bool {
    entries.allSatisfy { $0 == SIMD4(0, 1, 1, 0) }
  }
}

extension HueSatTable {
  private static let encode = CurveTable { TransferFunction.sRGB.encode($0) }
  private static let decode = CurveTable { TransferFunction.sRGB.decode($0) }

  /// Maps three channels in place; channels are first held within 0 and `ceiling`.
  ///
  /// Hue, saturation and the way back are computed for eight pixels at once and without branches, which colours
  /// would mispredict; only the look-up goes pixel by pixel.
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>, ceiling: Float) {
    let red = rows[0]
    let green = rows[1]
    let blue = rows[2]
    let zero = Lanes(repeating: 0)
    let one = Lanes(repeating: 1)
    let ceiling = Lanes(repeating: ceiling)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      // What is not a number counts as 0: the comparison is false for it.
      let r = zero.replacing(with: red[lanes: i], where: red[lanes: i] .> zero).minimum(ceiling)
      let g = zero.replacing(with: green[lanes: i], where: green[lanes: i] .> zero).minimum(ceiling)
      let b = zero.replacing(with: blue[lanes: i], where: blue[lanes: i] .> zero).minimum(ceiling)
      let value = r.maximum(g).maximum(b)
      let gap = value - r.minimum(g).minimum(b)
      let hue = Self.hue(r, g, b, value: value, gap: gap)
      let saturation = gap / value.maximum(Lanes(repeating: .leastNormalMagnitude))
      let position = isEncoded ? Self.encode.value(value) : value.minimum(one)
      let change = changes(hue: hue, saturation: saturation, value: position)
      let newSaturation = (saturation * change.saturation).minimum(one)
      let newValue: Lanes
      if isEncoded {
        // Above 1 as 1 is scaled, which keeps the map continuous there.
        let scaled = (position * change.value).minimum(one)
        newValue = Self.decode.value(scaled) * value.maximum(one)
      } else {
        newValue = (value * change.value).minimum(value.maximum(one))
      }
      let shifted = hue + change.hue
      // Within 0 and 6, up to rounding; the shift is bounded by the check of the table.
      let turned = shifted - (shifted * Lanes(repeating: 1 / 6)).rounded(.down) * 6
      let depth = newValue * newSaturation
      red[lanes: i] = newValue - depth * Self.fall(turned, from: 5)
      green[lanes: i] = newValue - depth * Self.fall(turned, from: 3)
      blue[lanes: i] = newValue - depth * Self.fall(turned, from: 1)
    }
  }

  /// Sextants round the hexcone from red; 0 for greys.
  @inline(__always)
  private static func hue(
    _ r: Lanes,
    _ g: Lanes,
    _ b: Lanes,
    value: Lanes,
    gap: Lanes
  ) -> Lanes {
    let zero = Lanes(repeating: 0)
    let divisor = gap.maximum(Lanes(repeating: .leastNormalMagnitude))
    let nearRed = (g - b) / divisor
    let nearGreen = (b - r) / divisor + 2
    let nearBlue = (r - g) / divisor + 4
    let red = nearRed.replacing(with: nearRed + 6, where: nearRed .< zero)
    return nearBlue.replacing(with: nearGreen, where: g .== value)
      .replacing(with: red, where: r .== value)
      .replacing(with: zero, where: gap .== zero)
  }

  /// How far a channel lies below the value, as a share of the saturation: the hexcone's edge along the hue.
  @inline(__always)
  private static func fall(_ hue: Lanes, from start: Float) -> Lanes {
    let sum = hue + start
    let k = sum.replacing(with: sum - 6, where: sum .>= Lanes(repeating: 6))
    return k.minimum(Lanes(repeating: 4) - k).clamped(0, 1)
  }

  /// The interpolated entries of eight colours.
  private struct Changes {
    /// In sextants.
    var hue = Lanes()
    var saturation = Lanes()
    var value = Lanes()
  }

  /// Looks up: `hue` from 0 to 6, the others from 0 to 1.
  @inline(__always)
  private func changes(hue: Lanes, saturation: Lanes, value: Lanes) -> Changes {
    let h = hueDivisions < 2 ? Lanes(repeating: 0) : hue * (Float(hueDivisions) / 6)
    let hIndex = Self.index(h, last: hueDivisions - 1)
    let s = saturation * Float(saturationDivisions - 1)
    let sIndex = Self.index(s, last: saturationDivisions - 2)
    let next = hIndex + 1
    let nextHue = next.replacing(
      with: Lanes(repeating: 0),
      where: next .>= Lanes(repeating: Float(hueDivisions))
    )
    let row = Float(saturationDivisions)
    let v = value * Float(valueDivisions - 1)
    let vIndex = Self.index(v, last: max(valueDivisions - 2, 0))
    let step = hueDivisions * saturationDivisions
    let plane = vIndex * Float(step)
    // Entries are fewer than 2^23, up to where floats count.
    let near = Self.integers(plane + hIndex * row + sIndex)
    let far = Self.integers(plane + nextHue * row + sIndex)
    let hFraction = h - hIndex
    let sFraction = s - sIndex
    let vFraction = v - vIndex
    let above = valueDivisions > 1 ? step : 0
    var result = Changes()
    unsafe entries.withUnsafeBufferPointer { entries in
      for lane in 0..<Lanes.laneCount {
        // The indices are those of a cell of the table whatever the colour was: each is held within its
        // axis, with one more entry along saturation and one more plane along value.
        let n = Int(near[lane])
        let f = Int(far[lane])
        var entry = unsafe Self.mix(entries, n, f, hFraction[lane], sFraction[lane])
        if above > 0 {
          let upper = unsafe Self.mix(
            entries,
            n + above,
            f + above,
            hFraction[lane],
            sFraction[lane]
          )
          entry += (upper - entry) * vFraction[lane]
        }
        result.hue[lane] = entry.x
        result.saturation[lane] = entry.y
        result.value[lane] = entry.z
      }
    }
    return result
  }

  /// The entries around a place, before and after it along an axis, as floats: whole numbers up to `last`.
  ///
  /// At a whole number it may be the one before, from which the way to it is 1: what is interpolated is the same.
  @inline(__always)
  private static func index(_ place: Lanes, last: Int) -> Lanes {
    let below = (place - 0.5).maximum(Lanes(repeating: 0))
    // Adding and taking off 2^23 rounds to whole numbers.
    let whole = (below + 8_388_608) - 8_388_608
    return whole.minimum(Lanes(repeating: Float(last)))
  }

  /// Whole numbers under 2^23 as integers.
  @inline(__always)
  private static func integers(_ whole: Lanes) -> BitLanes {
    (whole + 8_388_608).bits & BitLanes(repeating: 0x7F_FFFF)
  }

  @inline(__always)
  @unsafe
  private static func mix(
    _ entries: UnsafeBufferPointer<SIMD4<Float>>,
    _ near: Int,
    _ far: Int,
    _ hFraction: Float,
    _ sFraction: Float
  ) -> SIMD4<Float> {
    let n0 = unsafe entries[near]
    let n1 = unsafe entries[near + 1]
    let f0 = unsafe entries[far]
    let f1 = unsafe entries[far + 1]
    let low = n0 + (f0 - n0) * hFraction
    let high = n1 + (f1 - n1) * hFraction
    return low + (high - low) * sFraction
  }
}
