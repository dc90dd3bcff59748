internal import Raster
internal import RawModel
internal import TIFFContainer

/// The coded samples of a raw image and the entries that say how they are cut.
struct RawSegments {
  enum Arrangement: Equatable {
    case strip
    case tiles(PixelSize)
  }

  let arrangement: Arrangement
  /// The strip or the tiles, in the order of their offsets.
  let segments: [[UInt8]]

  /// Codes all samples on the scheduler's lanes; the bytes do not depend on their number.
  init(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    encoding: DNGEncoding,
    byteOrder: TIFFByteOrder = .littleEndian,
    scheduler: TileScheduler
  ) throws(DNGWritingError) {
    let size = description.size
    let planes = description.layout.samplesPerPixel
    guard size.width > 0, size.height > 0, samples.width == size.width * planes,
      samples.height == size.height
    else {
      throw .unsupportedShape(columns: size.width, rows: size.height, samplesPerPixel: planes)
    }
    switch encoding {
    case .losslessJPEG(let predictor, let tileSize):
      let components = description.layout.componentsOfTile
      let tiling =
        tileSize.map { DNGTiling(frame: size, tileSize: $0) }
        ?? DNGTiling(frame: size, components: components)
      arrangement = .tiles(tiling.tileSize)
      segments = try encodeTiles(
        samples,
        description,
        tiling,
        predictor: predictor,
        scheduler: scheduler
      )
    case .uncompressed:
      arrangement = .strip
      segments = [
        try packStrip(samples, description, byteOrder: byteOrder, scheduler: scheduler)
      ]
    }
  }
}

extension SampleLayout {
  /// The components of a tile's lossless JPEG stream: two behind a colour filter, because the sample
  /// to the left has the same colour then in most arrays, else the planes.
  fileprivate var componentsOfTile: Int {
    switch self {
    case .mosaic, .array: 2
    case .linear(let planes): planes
    }
  }
}

/// What a lane keeps from tile to tile.
private struct TileLane: ~Copyable {
  var encoder = LosslessJPEGEncoder()
  /// A row of a tile that reaches over the frame.
  var row: [UInt16] = []
}

private func encodeTiles(
  _ frame: borrowing Plane<UInt16>,
  _ description: RawDescription,
  _ tiling: DNGTiling,
  predictor: LosslessJPEGPredictor,
  scheduler: TileScheduler
) throws(DNGWritingError) -> [[UInt8]] {
  let components = description.layout.componentsOfTile
  let planes = description.layout.samplesPerPixel
  let shape = LosslessJPEGShape(
    columns: tiling.tileSize.width * planes / components,
    rows: tiling.tileSize.height,
    components: components,
    precision: description.bitsPerSample
  )
  let results = IndexedResults<[UInt8]>(count: tiling.count)
  func encodeTile(_ index: Int, _ lane: inout TileLane) throws(DNGWritingError) {
    try lane.encoder.start(shape: shape, predictor: predictor)
    add(tiling.region(index), of: frame, description.layout, to: &lane.encoder, row: &lane.row)
    results.set(try lane.encoder.finish(tile: index), at: index)
  }
  func makeLane() throws(DNGWritingError) -> TileLane { TileLane() }
  try scheduler.forEach(count: tiling.count, laneState: makeLane, body: encodeTile)
  return results.all()
}

/// Adds a tile's rows to the encoder, those of a tile within the frame from where they stand.
///
/// Where the tile reaches over the frame to the right the last samples are repeated, of the same colour in
/// a mosaic; below it rows go on with what begins the last one. Either differs from its prediction in
/// nothing, which costs the fewest bits.
private func add(
  _ region: Region,
  of frame: borrowing Plane<UInt16>,
  _ layout: SampleLayout,
  to encoder: inout LosslessJPEGEncoder,
  row: inout [UInt16]
) {
  let planes = layout.samplesPerPixel
  let components = layout.componentsOfTile
  let columns = region.left * planes..<region.right * planes
  let end = min(region.bottom, frame.height)
  if columns.upperBound <= frame.width, end == region.bottom {
    for y in region.rows { frame.withRow(y) { encoder.add($0.extracting(columns)) } }
    return
  }
  if row.count != columns.count { row = [UInt16](repeating: 0, count: columns.count) }
  for y in region.top..<end {
    var output = row.mutableSpan
    TileGathering.gather(row: y, of: frame, region, layout, into: &output, line: 0)
    encoder.add(row.span)
  }
  guard end < region.bottom else { return }
  for index in components..<row.count { row[index] = row[index % components] }
  for _ in end..<region.bottom { encoder.add(row.span) }
}

/// All rows in one strip: a reader that knows no tiles or several strips takes it too.
private func packStrip(
  _ frame: borrowing Plane<UInt16>,
  _ description: RawDescription,
  byteOrder: TIFFByteOrder,
  scheduler: TileScheduler
) throws(DNGWritingError) -> [UInt8] {
  let bits = description.bitsPerSample
  guard (8...16).contains(bits) else {
    throw .unsupportedBitDepth(bitsPerSample: bits, compression: "no compression")
  }
  let rowByteCount = SamplePacker.rowByteCount(samples: frame.width, bitsPerSample: bits)
  let grid = TileGrid(
    bounds: Region(left: 0, top: 0, width: 1, height: frame.height),
    tileSize: PixelSize(width: 1, height: 64)
  )
  let results = IndexedResults<[UInt8]>(count: grid.count)
  func packBand(_ band: Tile, _ lane: inout Void) throws(DNGWritingError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rowByteCount * band.region.height)
    for y in band.region.rows {
      let fits = frame.withRow(y) { row in
        SamplePacker.append(row, bitsPerSample: bits, byteOrder: byteOrder, to: &bytes)
      }
      guard fits else { throw .sampleOverBitDepth(tile: band.index, bitsPerSample: bits) }
    }
    results.set(bytes, at: band.index)
  }
  func makeLane() throws(DNGWritingError) {}
  try scheduler.forEachTile(of: grid, laneState: makeLane, body: packBand)
  var strip: [UInt8] = []
  strip.reserveCapacity(rowByteCount * frame.height)
  for band in results.all() { strip += band }
  return strip
}
