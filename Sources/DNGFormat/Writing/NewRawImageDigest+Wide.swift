package import Digest
package import Raster

extension NewRawImageDigest {
  /// The digest of 32-bit samples, integers or floating point; the same for any number of lanes.
  ///
  /// Floating-point images of fewer bits are digested as widened to 32 bits.
  ///
  /// - Parameters:
  ///   - samples: The stored samples, before any linearisation, interleaved by pixel.
  ///   - samplesPerPixel: Planes.
  ///   - scheduler: The lanes to work on.
  /// - Returns: The value of the tag.
  package static func digest<Sample: BitwiseCopyable & Sendable>(
    of samples: borrowing Plane<Sample>,
    samplesPerPixel: Int,
    scheduler: TileScheduler
  ) -> MD5Digest {
    let grid = grid(of: samples, samplesPerPixel: samplesPerPixel)
    let digests = IndexedResults<MD5Digest>(count: grid.count)
    func digestTile(_ tile: Tile, _ plane: inout [Sample]) {
      var hash = MD5()
      for first in 0..<samplesPerPixel {
        for y in tile.region.rows {
          plane.removeAll(keepingCapacity: true)
          samples.withRow(y) { row in
            for x in tile.region.columns { plane.append(row[x * samplesPerPixel + first]) }
          }
          // Samples have no padding, and every supported processor is little-endian.
          unsafe hash.update(plane.span.bytes)
        }
      }
      digests.set(hash.finalize(), at: tile.index)
    }
    scheduler.forEachTile(of: grid, laneState: { [Sample]() }, body: digestTile)
    return MD5.digest(of: digests.all().flatMap(\.bytes))
  }
}
