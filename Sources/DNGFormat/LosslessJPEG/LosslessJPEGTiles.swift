internal import JPEGCodec
internal import Raster

/// Decodes the lossless JPEG strips or tiles of a raw image.
struct LosslessJPEGTiles {
  let bytes: [UInt8]
  let layout: RawImageLayout

  /// Tiles that a lane decodes in turn.
  static let tilesInTurn = 3
  /// Bytes of the largest tile up to which tiles take turns: each of a lane's slots has room for it.
  static let largestInTurn = 64 << 20

  /// Decodes all tiles on the scheduler's lanes.
  ///
  /// - Throws: `losslessJPEG`, and `unsupported` for tiles of lossy JPEG; of the lowest tile.
  func decode(into writer: TileWriter<UInt16>, scheduler: TileScheduler) throws(DNGReadError) {
    do {
      // Lanes that write beside each other take each other's lines of the cache and touch the same fresh
      // pages of memory, which the kernel then zeroes twice.
      try decode(into: writer, scheduler: scheduler) { scheduler.spread($0, of: $1) }
    } catch {
      guard scheduler.laneCount > 1 else { throw error }
      // Another order may have found a higher one first.
      try decode(into: writer, scheduler: scheduler) { index, _ in index }
      throw error
    }
  }

  /// Decodes all tiles; `order` gives the group that takes a turn, of so many.
  private func decode(
    into writer: TileWriter<UInt16>,
    scheduler: TileScheduler,
    order: (Int, Int) -> Int
  ) throws(DNGReadError) {
    let tileCount = layout.ranges.count
    let largest = layout.ranges.map(\.count).max() ?? 0
    let slotCount = largest <= Self.largestInTurn ? Self.tilesInTurn : 1
    let groupCount = (tileCount + slotCount - 1) / slotCount
    try scheduler.forEach(count: groupCount) { () throws(DNGReadError) in
      let buffers = LosslessJPEGBuffers(slotCount: slotCount)
      buffers.reserveScans(largest)
      return buffers
    } body: { (index, buffers: inout LosslessJPEGBuffers) throws(DNGReadError) in
      let first = order(index, groupCount) * slotCount
      let tiles = first..<min(tileCount, first + slotCount)
      if decodeInTurn(tiles, into: writer, buffers) { return }
      // One after the other: the lowest damaged tile is found, and what is wrong with it.
      for tile in tiles { try decode(tile: tile, into: writer, buffers) }
    }
  }

  /// Decodes tiles in turn; false where that can't be done or one of them is damaged.
  private func decodeInTurn(
    _ tiles: Range<Int>,
    into writer: TileWriter<UInt16>,
    _ buffers: LosslessJPEGBuffers
  ) -> Bool {
    let size = layout.codedSize(ofTile: tiles.lowerBound)
    guard tiles.allSatisfy({ layout.codedSize(ofTile: $0) == size }) else { return false }
    var streams: [LosslessJPEGStream] = []
    for tile in tiles {
      let opened = open(tile, buffers, slot: tile - tiles.lowerBound)
      guard case .success(let stream) = opened else { return false }
      streams.append(stream)
    }
    let turns = LosslessJPEGTurns(
      streams,
      regions: tiles.map { layout.grid[$0].region },
      codedSize: size,
      samplesPerPixel: layout.samplesPerPixel
    )
    return turns?.decode(into: writer) ?? false
  }

  private func open(
    _ tile: Int,
    _ buffers: LosslessJPEGBuffers,
    slot: Int = 0
  ) -> Result<LosslessJPEGStream, LosslessJPEGError> {
    Result { () throws(LosslessJPEGError) in
      try LosslessJPEGStream(
        bytes,
        range: layout.ranges[tile],
        sampleCount: sampleCount(ofTile: tile),
        buffers: buffers,
        slot: slot
      )
    }
  }

  private func sampleCount(ofTile tile: Int) -> Int {
    layout.codedSize(ofTile: tile).pixelCount * layout.samplesPerPixel
  }

  private func decode(
    tile: Int,
    into writer: TileWriter<UInt16>,
    _ buffers: LosslessJPEGBuffers
  ) throws(DNGReadError) {
    do {
      var stream = try open(tile, buffers).get()
      try stream.decodeFrame()
    } catch .otherProcess(let marker) {
      throw .unsupported(.jpegProcess(marker: marker, precision: precision(ofTile: tile)))
    } catch {
      throw .losslessJPEG(tile: tile, error)
    }
    copy(tile: tile, buffers, into: writer)
  }

  /// The bits of a sample by the frame header of another process; 0 without one.
  private func precision(ofTile tile: Int) -> Int {
    do { return try JPEGFrameHeader(bytes, range: layout.ranges[tile]).precision } catch {
      return 0
    }
  }

  /// Copies the part of the tile that lies in the picture.
  private func copy(
    tile: Int,
    _ buffers: LosslessJPEGBuffers,
    into writer: TileWriter<UInt16>
  ) {
    let region = layout.grid[tile].region
    let samples = layout.samplesPerPixel
    let width = layout.codedSize(ofTile: tile).width * samples
    for row in 0..<region.height {
      writer.withRow(
        region.top + row,
        columns: region.left * samples..<region.right * samples
      ) { line in
        // The coded tile is at least as large as the region.
        let source = unsafe buffers.samples + row * width
        for index in line.indices { line[index] = unsafe source[index] }
      }
    }
  }
}

extension TileScheduler {
  /// Orders indices so that lanes of one pace each work in a part of their own.
  fileprivate func spread(_ index: Int, of count: Int) -> Int {
    let (place, lane) = index.quotientAndRemainder(dividingBy: laneCount)
    let (least, more) = count.quotientAndRemainder(dividingBy: laneCount)
    return lane * least + min(lane, more) + place
  }
}
