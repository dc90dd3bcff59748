import ImageEncoding
import Testing

@Suite struct BoxReductionTests {
  private static func reduce(
    _ source: [UInt8],
    from sourceSize: (width: Int, height: Int),
    to size: (width: Int, height: Int)
  ) -> [UInt8] {
    var target = [UInt8](repeating: 0, count: size.width * size.height)
    unsafe reduceByBox(
      source: source,
      sourceStride: sourceSize.width,
      sourceSize: sourceSize,
      target: &target,
      targetStride: size.width,
      targetSize: size
    )
    return target
  }

  /// The mean of the covered area, sample by sample, in exact fractions.
  private static func naive(
    _ source: [UInt8],
    from sourceSize: (width: Int, height: Int),
    to size: (width: Int, height: Int)
  ) -> [UInt8] {
    func overlap(_ index: Int, _ sample: Int, _ from: Int, _ to: Int) -> Int {
      max(0, min((index + 1) * from, (sample + 1) * to) - max(index * from, sample * to))
    }
    return (0..<size.height).flatMap { y in
      (0..<size.width).map { x in
        var sum = 0
        for sourceY in 0..<sourceSize.height {
          let vertical = overlap(y, sourceY, sourceSize.height, size.height)
          guard vertical > 0 else { continue }
          for sourceX in 0..<sourceSize.width {
            let horizontal = overlap(x, sourceX, sourceSize.width, size.width)
            sum += Int(source[sourceY * sourceSize.width + sourceX]) * horizontal * vertical
          }
        }
        let area = sourceSize.width * sourceSize.height
        return UInt8((sum + area / 2) / area)
      }
    }
  }

  @Test(arguments: [
    ((8, 8), (4, 4)), ((7, 5), (3, 2)), ((13, 1), (5, 1)), ((64, 48), (64, 48)),
    ((31, 17), (30, 1)),
    ((100, 75), (33, 25)), ((5, 9), (1, 9)),
  ])
  func isTheMeanOfTheArea(from: (Int, Int), to: (Int, Int)) {
    var generator = SplitMix64(state: 7)
    let source = (0..<from.0 * from.1).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let size = (width: to.0, height: to.1)
    let reduced = Self.reduce(source, from: (from.0, from.1), to: size)
    #expect(reduced == Self.naive(source, from: (from.0, from.1), to: size))
  }

  @Test func flatStaysFlat() {
    let source = [UInt8](repeating: 255, count: 401 * 301)
    #expect(Self.reduce(source, from: (401, 301), to: (320, 240)).allSatisfy { $0 == 255 })
  }
}
