internal import Digest
internal import Raster

/// The digest of an image by its compressed strips or tiles: the MD5 of their MD5s in order.
struct CompressedDigest {
  let bytes: [UInt8]
  let layout: RawImageLayout

  /// The digest of strips or tiles that share no tables.
  static func digest(of segments: [[UInt8]], scheduler: TileScheduler) -> MD5Digest {
    let results = IndexedResults<MD5Digest>(count: segments.count)
    func digestTile(_ tile: Int, _ lane: inout Void) {
      results.set(MD5.digest(of: segments[tile]), at: tile)
    }
    scheduler.forEach(count: segments.count, laneState: {}, body: digestTile)
    return MD5.digest(of: results.all().flatMap(\.bytes))
  }

  /// What a file may state: with tables that tiles share it is unsaid whether they count, last.
  func digests(_ scheduler: TileScheduler) -> [MD5Digest] {
    let results = IndexedResults<MD5Digest>(count: layout.ranges.count)
    func digestTile(_ tile: Int, _ lane: inout Void) {
      var hash = MD5()
      hash.update(bytes.span.extracting(layout.ranges[tile]))
      results.set(hash.finalize(), at: tile)
    }
    scheduler.forEach(count: layout.ranges.count, laneState: {}, body: digestTile)
    let tiles = results.all().flatMap(\.bytes)
    var digests = [MD5.digest(of: tiles)]
    if let tables = layout.jpegTables {
      digests.insert(MD5.digest(of: tiles + MD5.digest(of: tables).bytes), at: 0)
    }
    return digests
  }
}
