internal import JPEGCodec
internal import Raster
internal import RawModel
internal import TIFFContainer

/// Decodes the strips or tiles of the raw image into one plane.
struct RawSampleDecoder {
  private let bytes: [UInt8]
  private let layout: RawImageLayout

  init(file: DNGFile, layout: RawImageLayout) {
    bytes = file.tiff.bytes
    self.layout = layout
  }

  /// - Throws: `raster`, `tileByteCount`, `unsupported`, and the errors of damaged tiles.
  func decode(scheduler: TileScheduler) throws(DNGReadError) -> StoredSamples {
    switch layout.kind {
    case .uint16:
      return .uint16(
        try plane(scheduler, check: checkBitDepth) { (layout, writer) throws(DNGReadError) in
          switch layout.compression {
          case .jpeg:
            try LosslessJPEGTiles(bytes: bytes, layout: layout)
              .decode(into: writer, scheduler: scheduler)
          case .lossyJPEG:
            try LossyJPEGTiles(bytes: bytes, layout: layout)
              .decode(into: writer, scheduler: scheduler)
          case .jpegXL:
            try JPEGXLTiles(bytes: bytes, layout: layout) { $0 }
              .decode(into: writer, scheduler: scheduler)
          default:
            try ByteTiles<UInt16>(bytes: bytes, layout: layout)
              .decode(into: writer, scheduler: scheduler)
          }
        }
      )
    case .uint32:
      return .uint32(
        try plane(scheduler) { (layout, writer) throws(DNGReadError) in
          try ByteTiles<UInt32>(bytes: bytes, layout: layout)
            .decode(into: writer, scheduler: scheduler)
        }
      )
    case .float32:
      return .float32(
        try plane(scheduler) { (layout, writer) throws(DNGReadError) in
          if layout.compression == .jpegXL {
            try JPEGXLTiles(bytes: bytes, layout: layout) { Float(Float16(bitPattern: $0)) }
              .decode(into: writer, scheduler: scheduler)
          } else {
            try ByteTiles<Float>(bytes: bytes, layout: layout)
              .decode(into: writer, scheduler: scheduler)
          }
        }
      )
    }
  }

  /// The picture's plane, from tiles that `fill` decodes; samples whose planes stand apart are interleaved.
  private func plane<Sample: StoredSample>(
    _ scheduler: TileScheduler,
    check: (RawImageLayout, borrowing Plane<Sample>) throws(DNGReadError) -> Void = { _, _ in },
    _ fill: (RawImageLayout, TileWriter<Sample>) throws(DNGReadError) -> Void
  ) throws(DNGReadError) -> Plane<Sample> {
    guard layout.isPlanar else { return try plane(layout, scheduler, check: check, fill) }
    let samples = layout.samplesPerPixel
    var whole: Plane<Sample>
    do {
      whole = try Plane<Sample>(width: layout.size.width * samples, height: layout.size.height)
    } catch {
      throw .raster(error)
    }
    for index in 0..<samples {
      let plane = try plane(layout.plane(index), scheduler, check: check, fill)
      whole.withTileWriter { writer in
        for y in 0..<plane.height {
          writer.withRow(y, columns: 0..<plane.width * samples) { row in
            plane.withRow(y) { source in
              for x in source.indices { row[x * samples + index] = source[x] }
            }
          }
        }
      }
    }
    return whole
  }

  private func plane<Sample: StoredSample>(
    _ layout: RawImageLayout,
    _ scheduler: TileScheduler,
    check: (RawImageLayout, borrowing Plane<Sample>) throws(DNGReadError) -> Void,
    _ fill: (RawImageLayout, TileWriter<Sample>) throws(DNGReadError) -> Void
  ) throws(DNGReadError) -> Plane<Sample> {
    for tile in layout.ranges.indices { try checkByteCount(ofTile: tile, layout) }
    let stored = layout.grid.bounds.size
    var plane: Plane<Sample>
    do {
      plane = try Plane<Sample>(
        width: stored.width * layout.samplesPerPixel,
        height: stored.height
      )
    } catch {
      throw .raster(error)
    }
    try plane.withTileWriter { (writer) throws(DNGReadError) in try fill(layout, writer) }
    try check(layout, plane)
    guard !layout.order.isPlain else { return plane }
    return try layout.order.restored(plane, layout: layout, scheduler: scheduler)
  }

  /// The frame of a lossless JPEG tile may be of more bits than BitsPerSample (some cameras write 16), its
  /// samples may not: what is above the image's range has no meaning, and no other coding can store it.
  private func checkBitDepth(
    _ layout: RawImageLayout,
    _ plane: borrowing Plane<UInt16>
  ) throws(DNGReadError) {
    let bits = layout.bitsPerSample
    guard layout.compression == .jpeg, bits < 16 else { return }
    for tile in layout.ranges.indices {
      // A stream that has no frame header was not decoded.
      guard let frame = try? JPEGFrameHeader(bytes, range: layout.ranges[tile]),
        frame.precision > bits
      else { continue }
      let region = layout.grid[tile].region
      let columns =
        region.left * layout.samplesPerPixel..<region.right * layout.samplesPerPixel
      var all: UInt16 = 0
      for y in region.rows {
        plane.withRow(y) { row in
          for x in columns { all |= row[x] }
        }
      }
      guard all >> UInt16(bits) == 0 else {
        throw .tileSamples(tile: tile, "of \(frame.precision) bits don't fit the image's \(bits)")
      }
    }
  }

  /// Dimensions that a tile's bytes can't fill are refused before memory is taken.
  private func checkByteCount(
    ofTile tile: Int,
    _ layout: RawImageLayout
  ) throws(DNGReadError) {
    let count = layout.ranges[tile].count
    let size = layout.codedSize(ofTile: tile)
    // Within the limit of pixels, times at most 65,535 samples.
    let samples = size.pixelCount.multipliedOrMax(layout.samplesPerPixel)
    let bytes = layout.rowByteCount(ofTile: tile).multipliedOrMax(size.height)
    switch layout.compression {
    case .uncompressed:
      guard count >= bytes else {
        throw .tileByteCount(tile: tile, byteCount: count, least: bytes)
      }
      try checkPadding(layout.ranges[tile], ofTile: tile, after: bytes)
    case .deflate, .deflateLegacy:
      // A Deflate stream grows by 1,032 at the most: 258 bytes from 2 bits.
      guard bytes / 1032 <= count else {
        throw .tileByteCount(tile: tile, byteCount: count, least: bytes / 1032)
      }
    case .jpeg:
      // A lossless JPEG codes a sample in one bit at least.
      guard samples / 8 <= count else {
        throw .tileByteCount(tile: tile, byteCount: count, least: samples / 8)
      }
    default:
      // The frame header of the others says the size, which is checked first.
      break
    }
  }

  /// Bytes after an uncompressed tile's samples must be padding: fewer than a page, or all alike.
  ///
  /// More would mean that the sizes are wrong.
  private func checkPadding(
    _ range: Range<Int>,
    ofTile tile: Int,
    after count: Int
  ) throws(DNGReadError) {
    let rest = bytes[range].dropFirst(count)
    guard let first = rest.first, rest.count >= 4096 else { return }
    guard rest.allSatisfy({ $0 == first }) else {
      throw .tilePadding(tile: tile, byteCount: rest.count, samples: count)
    }
  }
}
