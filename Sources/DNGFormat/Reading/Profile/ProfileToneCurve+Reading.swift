internal import RawModel
internal import TIFFContainer

extension ProfileToneCurve {
  /// Points of a curve: 8,192 give one for each step of 13 bits.
  private static let pointLimit = 8192

  /// ProfileToneCurve (50940): x and y in turn, from 0 to 1, each x above the one before.
  ///
  /// - Throws: `container`, `profileTable`.
  init?(_ directory: DNGDirectory) throws(DNGReadError) {
    let tag = TIFFTag.profileToneCurve
    guard let numbers = try directory.numbers(tag, count: 4...2 * Self.pointLimit) else {
      return nil
    }
    guard numbers.count.isMultiple(of: 2), numbers.allSatisfy({ (0...1).contains($0) }) else {
      throw directory.damagedTable(tag, "has half a point or one outside 0 to 1")
    }
    let points = stride(from: 0, to: numbers.count, by: 2).map {
      Point(x: Float(numbers[$0]), y: Float(numbers[$0 + 1]))
    }
    for (former, latter) in zip(points, points.dropFirst()) where former.x >= latter.x {
      throw directory.damagedTable(
        tag,
        "has the point x \(latter.x) after \(former.x); each must be above the one before"
      )
    }
    guard points.first?.x == 0, points.last?.x == 1 else {
      throw directory.damagedTable(tag, "does not reach from 0 to 1")
    }
    self.init(points: points)
  }
}
