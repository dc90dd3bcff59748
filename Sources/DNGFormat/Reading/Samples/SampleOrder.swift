internal import Raster
internal import TIFFContainer

/// In which order the stored samples make the picture: RowInterleaveFactor (50975),
/// ColumnInterleaveFactor (52547), SubTileBlockSize (50974).
struct SampleOrder: Equatable {
  /// Stored rows come in F fields: all rows 0, F, 2F and so on, then all rows 1, F + 1 and so on.
  let rowFields: Int
  /// The same of columns.
  let columnFields: Int
  /// A tile's pixels come in blocks of this size, row by row within a block, the blocks row by row.
  let block: PixelSize

  var hasBlocks: Bool { block != PixelSize(width: 1, height: 1) }
  var isPlain: Bool { rowFields == 1 && columnFields == 1 && !hasBlocks }

  /// - Throws: `container`, `inconsistentTag` for factors that the image or its tiles can't have.
  init(_ raw: DNGDirectory, size: PixelSize, tileSize: PixelSize) throws(DNGReadError) {
    rowFields = try raw.integer(.rowInterleaveFactor, in: 1...size.height) ?? 1
    columnFields = try raw.integer(.columnInterleaveFactor, in: 1...size.width) ?? 1
    let sides = try raw.integers(.subTileBlockSize, count: 2...2) ?? [1, 1]
    guard
      sides.allSatisfy({ (1...65_536).contains($0) }), tileSize.height.isMultiple(of: sides[0]),
      tileSize.width.isMultiple(of: sides[1])
    else {
      throw raw.inconsistent(
        .subTileBlockSize,
        "is \(sides[0])x\(sides[1]) (rows, columns), which doesn't divide the tiles of \(tileSize)"
      )
    }
    block = PixelSize(width: sides[1], height: sides[0])
  }

  /// For each row or column of the picture, the stored one.
  static func places(_ count: Int, fields: Int) -> [Int] {
    guard fields > 1 else { return Array(0..<count) }
    var places = [Int](repeating: 0, count: count)
    var stored = 0
    for field in 0..<min(fields, count) {
      for place in stride(from: field, to: count, by: fields) {
        places[place] = stored
        stored += 1
      }
    }
    return places
  }

  /// The picture in its own order.
  ///
  /// - Parameters:
  ///   - stored: Samples as they stand in the tiles, the tiles whole where there are blocks.
  ///   - layout: Of the image that they are of.
  ///   - scheduler: The lanes to work on.
  /// - Returns: A plane of the picture's size.
  /// - Throws: `raster`.
  func restored<Sample: StoredSample>(
    _ stored: borrowing Plane<Sample>,
    layout: RawImageLayout,
    scheduler: TileScheduler
  ) throws(DNGReadError) -> Plane<Sample> {
    let size = layout.size
    let samples = layout.samplesPerPixel
    var plane: Plane<Sample>
    do {
      plane = try Plane<Sample>(width: size.width * samples, height: size.height)
    } catch {
      throw .raster(error)
    }
    let rows = Self.places(size.height, fields: rowFields)
    let columns = Self.places(size.width, fields: columnFields)
    let tile = layout.grid.tileSize
    func copyRow(_ y: Int, _ writer: TileWriter<Sample>) {
      writer.withRow(y, columns: 0..<size.width * samples) { row in
        if !hasBlocks {
          stored.withRow(rows[y]) { source in
            for (x, column) in columns.enumerated() {
              for sample in 0..<samples {
                row[x * samples + sample] = source[column * samples + sample]
              }
            }
          }
          return
        }
        let (tileRow, y) = rows[y].quotientAndRemainder(dividingBy: tile.height)
        for (x, column) in columns.enumerated() {
          let (tileColumn, x0) = column.quotientAndRemainder(dividingBy: tile.width)
          // The pixel's number in the tile's stream, which is its place in the stored plane.
          let before = y / block.height * (tile.width / block.width) + x0 / block.width
          let within = y % block.height * block.width + x0 % block.width
          let number = before * block.width * block.height + within
          let (storedY, storedX) = number.quotientAndRemainder(dividingBy: tile.width)
          stored.withRow(tileRow * tile.height + storedY) { source in
            for sample in 0..<samples {
              row[x * samples + sample] =
                source[(tileColumn * tile.width + storedX) * samples + sample]
            }
          }
        }
      }
    }
    plane.withTileWriter { writer in
      scheduler.forEach(count: size.height, laneState: {}, body: { y, _ in copyRow(y, writer) })
    }
    return plane
  }
}
