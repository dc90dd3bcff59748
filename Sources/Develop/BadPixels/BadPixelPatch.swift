/// The value of a bad photosite of a Bayer sensor, from good ones of its colour.
///
/// Along the pair of opposite neighbours that differ least: two columns or two rows away, for green also
/// one step along either diagonal; the mean of the two (gradient-directed interpolation as in Hamilton and Adams,
/// US patent 5,629,734, expired, applied to one colour). Where no pair is good on both sides, the mean of the good
/// ones on the smallest square around it that has any. Only photosites that are good take part, so that
/// the result doesn't depend on the order. Version 1.
struct BadPixelPatch: Sendable {
  /// Whether the photosite in the image's corner is green.
  let isCornerGreen: Bool

  /// Half the side of the largest square that is searched.
  static let reach = 32

  /// - Parameter phase: BayerPhase of the opcode: 1 and 2 are green.
  init(bayerPhase phase: Int) {
    isCornerGreen = phase == 1 || phase == 2
  }

  /// The patched value, or nil where no good photosite is within reach.
  @inline(__always)
  func value(
    x: Int,
    y: Int,
    isGood: (Int, Int) -> Bool,
    sample: (Int, Int) -> Double
  ) -> Double? {
    var least = Double.infinity
    var best: Double?
    func consider(_ dx: Int, _ dy: Int) {
      guard isGood(x - dx, y - dy), isGood(x + dx, y + dy) else { return }
      let (a, b) = (sample(x - dx, y - dy), sample(x + dx, y + dy))
      let difference = abs(a - b)
      if difference < least {
        least = difference
        best = (a + b) / 2
      }
    }
    consider(2, 0)
    consider(0, 2)
    if isGreen(x, y) {
      consider(1, 1)
      consider(1, -1)
    }
    if let best { return best }
    var distance = isGreen(x, y) ? 1 : 2
    while distance <= Self.reach {
      if let mean = mean(x, y, distance, isGood: isGood, sample: sample) { return mean }
      distance += isGreen(x, y) ? 1 : 2
    }
    return nil
  }

  /// How far away the farthest photosite lies that a patch takes part of; nil without any.
  func distance(x: Int, y: Int, in mask: BadPixelMask) -> Int? {
    var farthest = 0
    let found = value(x: x, y: y) {
      mask.isGood(x: $0, y: $1)
    } sample: { sampleX, sampleY in
      farthest = max(farthest, abs(sampleX - x), abs(sampleY - y))
      return 0
    }
    return found == nil ? nil : farthest
  }

  /// The mean of the good photosites of the same colour at a distance (the greater of columns and rows).
  private func mean(
    _ x: Int,
    _ y: Int,
    _ distance: Int,
    isGood: (Int, Int) -> Bool,
    sample: (Int, Int) -> Double
  ) -> Double? {
    var sum = 0.0
    var count = 0.0
    func take(_ dx: Int, _ dy: Int) {
      guard isSameColor(dx, dy, isGreen: isGreen(x, y)), isGood(x + dx, y + dy) else { return }
      sum += sample(x + dx, y + dy)
      count += 1
    }
    for dx in -distance...distance {
      take(dx, -distance)
      take(dx, distance)
    }
    for dy in (1 - distance)..<distance {
      take(-distance, dy)
      take(distance, dy)
    }
    return count > 0 ? sum / count : nil
  }

  private func isGreen(_ x: Int, _ y: Int) -> Bool { ((x + y) & 1 == 0) == isCornerGreen }

  private func isSameColor(_ dx: Int, _ dy: Int, isGreen: Bool) -> Bool {
    isGreen ? (dx + dy) & 1 == 0 : dx & 1 == 0 && dy & 1 == 0
  }
}
