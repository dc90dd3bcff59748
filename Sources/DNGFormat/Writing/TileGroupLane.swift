internal import Digest
internal import Raster

/// Hashes tiles of one size at the same time; the buffers of one lane of the scheduler.
struct TileGroupLane {
  /// A row of each tile, after each other; two samples that count as bytes share an element.
  ///
  /// Read from here and not from the frame: the copies run through memory in order, which the
  /// processor sees ahead.
  private var rows: [UInt16] = []

  /// The digests of the tiles' samples, plane by plane.
  ///
  /// - Parameters:
  ///   - tiles: At most `MD5Lanes.laneCount` tiles, all of the same size.
  ///   - samples: Samples interleaved by pixel.
  ///   - samplesPerPixel: Planes.
  ///   - isByte: Whether a sample counts as one byte.
  /// - Returns: A digest for each tile.
  mutating func digests(
    of tiles: [Tile],
    samples: borrowing Plane<UInt16>,
    samplesPerPixel: Int,
    isByte: Bool
  ) -> [MD5Digest] {
    let size = tiles[0].region.size
    let rowByteCount = size.width * (isByte ? 1 : 2)
    guard rowByteCount % 4 == 0 else {
      return tiles.map {
        digest(of: $0.region, samples: samples, samplesPerPixel: samplesPerPixel, isByte: isByte)
      }
    }
    let rowCount = rowByteCount / 2
    if rows.count < MD5Lanes.laneCount * rowCount {
      rows = [UInt16](repeating: 0, count: MD5Lanes.laneCount * rowCount)
    }
    let offsets = (0..<MD5Lanes.laneCount).map { $0 * rowByteCount }
    var lanes = MD5Lanes()
    let runs = Run.runs(tiles, rowCount: rowCount)
    for plane in 0..<samplesPerPixel {
      for y in 0..<size.height {
        for run in runs {
          samples.withRow(run.top + y) { row in
            let first = run.left * samplesPerPixel + plane
            if isByte {
              packBytes(row, first: first, distance: samplesPerPixel, into: run.target, of: &rows)
            } else {
              copy(row, first: first, distance: samplesPerPixel, into: run.target, of: &rows)
            }
          }
        }
        // UInt16 has no padding, so that all of its memory is initialised.
        lanes.update(unsafe rows.span.bytes, offsets: offsets, wordCount: rowByteCount / 4)
      }
    }
    return Array(lanes.finalize().prefix(tiles.count))
  }

  /// Tiles next to each other, whose rows are copied as one.
  private struct Run {
    let top: Int
    let left: Int
    /// Their rows within `rows`.
    var target: Range<Int>

    static func runs(_ tiles: [Tile], rowCount: Int) -> [Run] {
      var runs: [Run] = []
      var right: Int?
      for (lane, tile) in tiles.enumerated() {
        let region = tile.region
        let target = lane * rowCount..<(lane + 1) * rowCount
        if let last = runs.last, last.top == region.top, right == region.left {
          runs[runs.count - 1].target = last.target.lowerBound..<target.upperBound
        } else {
          runs.append(Run(top: region.top, left: region.left, target: target))
        }
        right = region.right
      }
      return runs
    }
  }

  /// The digest of one tile whose rows are no whole number of words.
  private func digest(
    of region: Region,
    samples: borrowing Plane<UInt16>,
    samplesPerPixel: Int,
    isByte: Bool
  ) -> MD5Digest {
    var bytes: [UInt8] = []
    for plane in 0..<samplesPerPixel {
      for y in region.rows {
        samples.withRow(y) { row in
          for x in region.columns {
            let sample = row[x * samplesPerPixel + plane]
            bytes.append(UInt8(truncatingIfNeeded: sample))
            if !isByte { bytes.append(UInt8(truncatingIfNeeded: sample >> 8)) }
          }
        }
      }
    }
    return MD5.digest(of: bytes)
  }
}

/// Copies every `distance`th sample.
private func copy(
  _ row: Span<UInt16>,
  first: Int,
  distance: Int,
  into range: Range<Int>,
  of rows: inout [UInt16]
) {
  var output = rows.mutableSpan
  if distance == 1 {
    let source = row.extracting(first..<first + range.count)
    // Both have as many samples.
    unsafe output.withUnsafeMutableBytes { output in
      let target = unsafe output[2 * range.lowerBound..<2 * range.upperBound]
      unsafe source.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: source)
      }
    }
  } else {
    for index in 0..<range.count {
      output[range.lowerBound + index] = row[first + index * distance]
    }
  }
}

/// Packs every `distance`th sample as a byte, the first one lowest.
private func packBytes(
  _ row: Span<UInt16>,
  first: Int,
  distance: Int,
  into range: Range<Int>,
  of rows: inout [UInt16]
) {
  for index in 0..<range.count {
    let low = row[first + 2 * index * distance] & 0xFF
    let high = row[first + (2 * index + 1) * distance] & 0xFF
    rows[range.lowerBound + index] = low | high << 8
  }
}
