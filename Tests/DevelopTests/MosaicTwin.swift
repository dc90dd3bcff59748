import RawModel

/// A kernel of mosaics in double precision, photosite by photosite, with mirrored edges.
protocol MosaicTwin {
  var width: Int { get }
  var height: Int { get }
  var pattern: CFAPattern { get }
  /// Linear samples in row order, 1 being white.
  var samples: [Double] { get }
}

extension MosaicTwin {
  /// 0 red, 1 green, 2 blue.
  func color(_ x: Int, _ y: Int) -> Int { pattern.colors[2 * (y & 1) + (x & 1)] }

  /// A sample; beyond the edges the mirrored one.
  func sample(_ x: Int, _ y: Int) -> Double {
    samples[TwinFormula.mirrored(y, height) * width + TwinFormula.mirrored(x, width)]
  }
}

/// What the guides' formulas have in common.
enum TwinFormula {
  /// The place among `count` that stands for one beyond the ends, as often mirrored as it takes; the ends
  /// themselves stand once.
  static func mirrored(_ index: Int, _ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let period = 2 * (count - 1)
    let folded = ((index % period) + period) % period
    return folded < count ? folded : period - folded
  }

  /// From 0 to 1 as the value does, level at both ends.
  static func smoothStep(_ value: Double) -> Double {
    let t = min(max(value, 0), 1)
    return t * t * (3 - 2 * t)
  }
}
