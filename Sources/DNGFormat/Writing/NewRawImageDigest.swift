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
    let grid = grid(of: samples, samplesPerPixel: samplesPerPixel)
    let groups = groups(of: grid)
    let digests = IndexedResults<MD5Digest>(count: grid.count)
    func digestGroup(_ index: Int, _ lane: inout TileGroupLane) {
      let tiles = groups[index]
      let values = lane.digests(
        of: tiles,
        samples: samples,
        samplesPerPixel: samplesPerPixel,
        isByte: isByte
      )
      for (tile, value) in zip(tiles, values) { digests.set(value, at: tile.index) }
    }
    scheduler.forEach(count: groups.count, laneState: TileGroupLane.init, body: digestGroup)
    return MD5.digest(of: digests.all().flatMap(\.bytes))
  }

  /// The tiles that are digested each.
  static func grid<Sample: BitwiseCopyable>(
    of samples: borrowing Plane<Sample>,
    samplesPerPixel: Int
  ) -> TileGrid {
    let frame = PixelSize(width: samples.width / samplesPerPixel, height: samples.height)
    return TileGrid(
      bounds: Region(size: frame),
      tileSize: PixelSize(
        width: max(1, min(side, frame.width)),
        height: max(1, min(side, frame.height))
      )
    )
  }

  /// The tiles in groups of one size, of as many as are hashed at the same time.
  private static func groups(of grid: TileGrid) -> [[Tile]] {
    var groups: [[Tile]] = []
    var open: [PixelSize: [Tile]] = [:]
    for index in 0..<grid.count {
      let tile = grid[index]
      var group = open[tile.region.size] ?? []
      group.append(tile)
      if group.count == MD5Lanes.laneCount {
        groups.append(group)
        group = []
      }
      open[tile.region.size] = group
    }
    let rest = open.values.filter { !$0.isEmpty }
    return groups + rest.sorted { $0[0].index < $1[0].index }
  }
}
