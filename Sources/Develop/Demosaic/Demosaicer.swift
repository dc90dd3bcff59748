internal import ColorScience
package import Raster
package import RawModel

/// Demosaicing by itself: the kernel that `Developer` runs fused with the other stages.
package enum Demosaicer {
  /// Reconstructs three colours from linear samples behind a Bayer filter; see `MenonDemosaic`.
  ///
  /// Beyond its edges the mosaic is taken as mirrored. The result does not depend on lanes or tiles.
  ///
  /// - Parameters:
  ///   - mosaic: One sample a pixel, in any unit; white-balanced samples give the best result.
  ///   - pattern: The filter colours from the plane's first sample.
  ///   - noise: Of samples that 1 is white of, whose noise is to be reckoned with; nil for the method as published.
  ///   - scheduler: The lanes that tiles run on.
  ///   - tileSize: Overrides the size of the tiles.
  /// - Returns: Planes of the mosaic's size and unit.
  /// - Throws: `RasterError` where memory was refused.
  package static func menon(
    _ mosaic: borrowing Plane<Float>,
    pattern: CFAPattern,
    noise: NoiseModel? = nil,
    scheduler: TileScheduler,
    tileSize: PixelSize = PixelSize(width: 512, height: 512)
  ) throws(RasterError) -> RGBPlanes {
    let size = PixelSize(width: mosaic.width, height: mosaic.height)
    var planes = try RGBPlanes(size: size)
    guard size.width > 0, size.height > 0 else { return planes }
    let tile = PixelSize(
      width: min(max(tileSize.width, 1), size.width),
      height: min(max(tileSize.height, 1), size.height)
    )
    let grid = TileGrid(bounds: Region(size: size), tileSize: tile)
    let stride = mosaic.stride
    // The samples are balanced already, so is the noise.
    let softening = noise.map { MenonDemosaic.Noise($0, gains: Vector3(1, 1, 1)) }
    try planes.red.withTileWriter { (red) throws(RasterError) in
      try planes.green.withTileWriter { (green) throws(RasterError) in
        try planes.blue.withTileWriter { (blue) throws(RasterError) in
          try unsafe mosaic.withUnsafeSamples { (samples) throws(RasterError) in
            try scheduler.forEachTile(
              of: grid,
              laneState: { () throws(RasterError) in
                try DemosaicLane(width: tile.width, noise: softening)
              },
              body: { (tile, lane) throws(RasterError) in
                unsafe lane.run(
                  tile.region,
                  pattern: pattern,
                  samples: samples,
                  stride: stride,
                  size: size,
                  writers: [red, green, blue]
                )
              }
            )
          }
        }
      }
    }
    return planes
  }
}

/// One lane of `Demosaicer`.
private struct DemosaicLane: ~Copyable {
  private let scratch: ScratchMemory
  private let demosaic: MenonDemosaic
  private let atColors: [3 of SampleRow]
  private let atGreens: [3 of SampleRow]

  init(width: Int, noise: MenonDemosaic.Noise?) throws(RasterError) {
    let columns = width + 2 * MenonDemosaic.halo + 17
    var scratch = try ScratchMemory(
      rowCount: MenonDemosaic.scratchRowCount + 6,
      samples: columns / 2 + 1
    )
    demosaic = MenonDemosaic(&scratch, noise: noise)
    let rows = scratch.take(6)
    atColors = [rows.row(0), rows.row(1), rows.row(2)]
    atGreens = [rows.row(3), rows.row(4), rows.row(5)]
    self.scratch = scratch
  }

  func run(
    _ tile: Region,
    pattern: CFAPattern,
    samples: UnsafePointer<Float>,
    stride: Int,
    size: PixelSize,
    writers: [3 of TileWriter<Float>]
  ) {
    let halo = MenonDemosaic.halo
    let cell = pattern.colors
    let firstPhase = cell[0] == 1 ? 1 : 0
    let origin = (tile.left - halo) & ~1
    let count = ((tile.right + halo - origin + 1) / 2 + 7) & ~7
    for y in (tile.top - halo)..<(tile.bottom + halo) {
      let parity = y & 1
      let phase = firstPhase ^ parity
      let row = unsafe samples + Mirror.index(y, count: size.height) * stride
      let even = phase == 0 ? demosaic.colors[y] : demosaic.greens[y]
      let odd = phase == 0 ? demosaic.greens[y] : demosaic.colors[y]
      let inner = max(origin, 0)..<min(origin + 2 * count, size.width)
      func copy(_ columns: Range<Int>) {
        for x in columns {
          let target = x & 1 == 0 ? even : odd
          target[(x - origin) >> 1] = unsafe row[Mirror.index(x, count: size.width)]
        }
      }
      copy(origin..<inner.lowerBound)
      var x = inner.lowerBound
      while x + 16 <= inner.upperBound {
        let pairs = unsafe UnsafeRawPointer(row + x).loadUnaligned(as: SIMD16<Float>.self)
        even[lanes: (x - origin) >> 1] = pairs.evenHalf
        odd[lanes: (x - origin) >> 1] = pairs.oddHalf
        x += 16
      }
      copy(x..<(origin + 2 * count))
      demosaic.advance(to: y, first: tile.top, firstPhase: firstPhase, count: count)
      let done = y - halo
      guard done >= tile.top else { continue }
      demosaic.finish(done, phase: phase, count: count, atColors: atColors, atGreens: atGreens)
      let isRedRow = cell[2 * parity + phase] == 0
      for color in 0..<3 {
        let source = isRedRow ? color : 2 - color
        unsafe store(
          even: phase == 0 ? atColors[source] : atGreens[source],
          odd: phase == 0 ? atGreens[source] : atColors[source],
          origin: origin,
          columns: tile.columns,
          into: writers[color].pointer(x: 0, y: done)
        )
      }
    }
  }

  /// Interleaves even and odd columns again.
  private func store(
    even: SampleRow,
    odd: SampleRow,
    origin: Int,
    columns: Range<Int>,
    into row: UnsafeMutablePointer<Float>
  ) {
    // `row` is that of the plane; all that is written are the tile's own columns.
    var x = columns.lowerBound
    func one() {
      unsafe row[x] = (x & 1 == 0 ? even : odd)[(x - origin) >> 1]
      x += 1
    }
    if x & 1 == 1 { one() }
    while x + 16 <= columns.upperBound {
      var pairs = SIMD16<Float>()
      pairs.evenHalf = even[lanes: (x - origin) >> 1]
      pairs.oddHalf = odd[lanes: (x - origin) >> 1]
      unsafe UnsafeMutableRawPointer(row + x).storeBytes(of: pairs, as: SIMD16<Float>.self)
      x += 16
    }
    while x < columns.upperBound { one() }
  }
}
