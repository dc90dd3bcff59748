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
  func apply(_ rows: [3 of SampleRow], _ range: Range<Int>, ceiling: Float) {
    let red = rows[0]
    let green = rows[1]
    let blue = rows[2]
    let encode = Self.encode
    let decode = Self.decode
    for i in range {
      let color = mapped(
        SIMD3(red[i], green[i], blue[i]),
        ceiling: ceiling,
        encode: encode,
        decode: decode
      )
      red[i] = color.x
      green[i] = color.y
      blue[i] = color.z
    }
  }

  @inline(__always)
  private func mapped(
    _ color: SIMD3<Float>,
    ceiling: Float,
    encode: CurveTable,
    decode: CurveTable
  ) -> SIMD3<Float> {
    // What is not a number counts as 0: the comparison is false for it.
    let r = color.x > 0 ? min(color.x, ceiling) : 0
    let g = color.y > 0 ? min(color.y, ceiling) : 0
    let b = color.z > 0 ? min(color.z, ceiling) : 0
    let value = max(r, max(g, b))
    guard value > 0, value.isFinite else { return SIMD3(r, g, b) }
    let gap = value - min(r, min(g, b))
    var hue: Float = 0
    var saturation: Float = 0
    if gap > 0 {
      if r == value {
        hue = (g - b) / gap
        if hue < 0 { hue += 6 }
      } else if g == value {
        hue = 2 + (b - r) / gap
      } else {
        hue = 4 + (r - g) / gap
      }
      saturation = gap / value
    }
    let position = isEncoded ? encode.value(value) : min(value, 1)
    let change = entry(hue: hue, saturation: saturation, value: position)
    let newSaturation = min(saturation * change.y, 1)
    let newValue: Float
    if isEncoded && value <= 1 {
      newValue = decode.value(min(position * change.z, 1))
    } else if isEncoded {
      // As 1 is scaled, which keeps the map continuous there.
      newValue = value * decode.value(min(change.z, 1))
    } else {
      newValue = min(value * change.z, max(value, 1))
    }
    return Self.rgb(hue: hue + change.x, saturation: newSaturation, value: newValue)
  }

  /// The interpolated entry: `hue` from 0 to 6, the others from 0 to 1.
  @inline(__always)
  private func entry(hue: Float, saturation: Float, value: Float) -> SIMD4<Float> {
    let h = hueDivisions < 2 ? 0 : hue * Float(hueDivisions) / 6
    let s = saturation * Float(saturationDivisions - 1)
    let hIndex = min(Int(h), hueDivisions - 1)
    let sIndex = min(Int(s), saturationDivisions - 2)
    let hFraction = h - Float(hIndex)
    let sFraction = s - Float(sIndex)
    let nextHue = hIndex + 1 == hueDivisions ? 0 : hIndex + 1
    let near = hIndex * saturationDivisions + sIndex
    let far = nextHue * saturationDivisions + sIndex
    guard valueDivisions > 1 else {
      return plane(0, near, far, hFraction, sFraction)
    }
    let v = value * Float(valueDivisions - 1)
    let vIndex = min(Int(v), valueDivisions - 2)
    let vFraction = v - Float(vIndex)
    let step = hueDivisions * saturationDivisions
    let below = plane(vIndex * step, near, far, hFraction, sFraction)
    let above = plane((vIndex + 1) * step, near, far, hFraction, sFraction)
    return below + (above - below) * vFraction
  }

  @inline(__always)
  private func plane(
    _ base: Int,
    _ near: Int,
    _ far: Int,
    _ hFraction: Float,
    _ sFraction: Float
  ) -> SIMD4<Float> {
    let n0 = entries[base + near]
    let n1 = entries[base + near + 1]
    let f0 = entries[base + far]
    let f1 = entries[base + far + 1]
    let low = n0 + (f0 - n0) * hFraction
    let high = n1 + (f1 - n1) * hFraction
    return low + (high - low) * sFraction
  }

  /// The colour of a hue in sextants, which may lie beyond 0 to 6.
  @inline(__always)
  private static func rgb(hue: Float, saturation: Float, value: Float) -> SIMD3<Float> {
    guard saturation > 0 else { return SIMD3(repeating: value) }
    // The shift is bounded by the check of the table.
    let turns = (hue / 6).rounded(.down)
    let h = max(hue - 6 * turns, 0)
    let sextant = min(Int(h), 5)
    let fraction = h - Float(sextant)
    let p = value * (1 - saturation)
    let q = value * (1 - saturation * fraction)
    let t = value * (1 - saturation * (1 - fraction))
    switch sextant {
    case 0: return SIMD3(value, t, p)
    case 1: return SIMD3(q, value, p)
    case 2: return SIMD3(p, value, t)
    case 3: return SIMD3(p, q, value)
    case 4: return SIMD3(t, p, value)
    default: return SIMD3(value, p, q)
    }
  }
}
