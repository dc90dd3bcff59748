package import Digest
package import Raster

/// NewRawImageDigest (51111): a digest of the stored samples that can be computed tile by tile.
///
/// DNG 1.7.1: tiles of at most 256x256 pixels in row order, each with its planes after each other,
/// little endian; the MD5 of the tiles' MD5s.
package enum NewRawImageDigest {
  private static let side = 256

  /// The digest of all samples of a frame; the same for any number of lanes.
  ///
  /// - Parameters:
  ///   - samples: The stored codes, before any linearisation, interleaved by pixel.
  ///   - samplesPerPixel: Planes.
  ///   - isByte: Whether a sample counts as one byte: at most 8 bits are stored, or the
  ///     LinearizationTable has at most 256 entries. It counts as two otherwise.
  ///   - scheduler: The lanes to work on.
  /// - Returns: The value of the tag.
  package static func digest(
    of samples: borrowing Plane<UInt16>,
    samplesPerPixel: Int,
    isByte: Bool,
    scheduler: TileScheduler
  ) -> MD5Digest {
    let frame = PixelSize(width: samples.width / samplesPerPixel, height: samples.height)
    let grid = TileGrid(
      bounds: Region(size: frame),
      tileSize: PixelSize(
        width: max(1, min(side, frame.width)),
        height: max(1, min(side, frame.height))
      )
    )
    let digests = IndexedResults<MD5Digest>(count: grid.count)
    func digestTile(_ tile: Tile, _ bytes: inout [UInt8]) {
      bytes.removeAll(keepingCapacity: true)
      for plane in 0..<samplesPerPixel {
        for y in tile.region.rows {
          samples.withRow(y) { row in
            for x in tile.region.columns {
              let sample = row[x * samplesPerPixel + plane]
              bytes.append(UInt8(truncatingIfNeeded: sample))
              if !isByte { bytes.append(UInt8(truncatingIfNeeded: sample >> 8)) }
            }
          }
        }
      }
      digests.set(MD5.digest(of: bytes), at: tile.index)
    }
    scheduler.forEachTile(of: grid, laneState: { [] }, body: digestTile)
    return MD5.digest(of: digests.all().flatMap(\.bytes))
  }
}
