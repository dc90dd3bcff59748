import DNGFormat
import Digest
import Raster
import TestSupport
import Testing

@Suite struct NewRawImageDigestTests {
  /// The definition by the letter, one tile after the other.
  private func naive(_ samples: [UInt16], width: Int, height: Int, planes: Int, isByte: Bool)
    -> MD5Digest
  {
    var digests: [UInt8] = []
    for top in stride(from: 0, to: height, by: 256) {
      for left in stride(from: 0, to: width, by: 256) {
        var bytes: [UInt8] = []
        for plane in 0..<planes {
          for y in top..<min(top + 256, height) {
            for x in left..<min(left + 256, width) {
              let sample = samples[(y * width + x) * planes + plane]
              bytes.append(UInt8(truncatingIfNeeded: sample))
              if !isByte { bytes.append(UInt8(sample >> 8)) }
            }
          }
        }
        digests += MD5.digest(of: bytes).bytes
      }
    }
    return MD5.digest(of: digests)
  }

  /// One tile, rows that are no whole number of words, groups that are full, partly full and single.
  @Test(
    arguments: [(1, 1), (3, 5), (64, 30), (256, 256), (257, 300), (2310, 515)],
    [(1, false), (3, false), (1, true), (3, true)]
  )
  func equalsItsDefinition(size: (Int, Int), kind: (Int, Bool)) throws {
    let (width, height) = size
    let (planes, isByte) = kind
    var generator = SeededGenerator(seed: 9)
    let samples = (0..<width * height * planes).map { _ in
      UInt16.random(in: 0...(isByte ? 255 : 65_535), using: &generator)
    }
    var plane = try Plane<UInt16>(width: width * planes, height: height)
    for y in 0..<height {
      plane.withMutableRow(y) { row in
        for x in row.indices { row[x] = samples[y * width * planes + x] }
      }
    }
    let expected = naive(samples, width: width, height: height, planes: planes, isByte: isByte)
    for lanes in [1, 3] {
      let digest = NewRawImageDigest.digest(
        of: plane,
        samplesPerPixel: planes,
        isByte: isByte,
        scheduler: TileScheduler(laneCount: lanes)
      )
      #expect(digest == expected, "\(lanes) lanes")
    }
  }
}
