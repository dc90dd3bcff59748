internal import Raster
internal import RawModel
internal import Recipe

/// One lane's kernel: develops tiles, one after another, in its own scratch.
struct TileKernel: ~Copyable {
  let plan: DevelopPlan
  private var scratch: ScratchMemory
  private let demosaic: MenonDemosaic
  private let first: [3 of SampleRow]
  private let second: [3 of SampleRow]
  private let blacks: (even: SampleRow, odd: SampleRow)
  private var codes: Plane<UInt16>
  private var packed: Plane<UInt32>
  private var gridRow: [Float] = []

  /// A kernel for tiles up to `width` columns wide.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  init(_ plan: DevelopPlan, width: Int) throws(RasterError) {
    // Halo on both sides, one column to begin at an even one, and whole vectors.
    let columns = width + 2 * MenonDemosaic.halo + 17
    var scratch = try ScratchMemory(
      rowCount: MenonDemosaic.scratchRowCount + 8,
      samples: columns / 2 + 1
    )
    let codes = try Plane<UInt16>(width: columns + 32, height: 1)
    let packed = try Plane<UInt32>(width: columns + 32, height: 1)
    self.plan = plan
    demosaic = MenonDemosaic(&scratch)
    let rows = scratch.take(8)
    first = [rows.row(0), rows.row(1), rows.row(2)]
    second = [rows.row(3), rows.row(4), rows.row(5)]
    blacks = (rows.row(6), rows.row(7))
    self.scratch = scratch
    self.codes = codes
    self.packed = packed
  }

  /// Develops one tile, given in pixels of the active area.
  ///
  /// `samples` is the stored frame's first sample; its rows are `stride` samples apart.
  mutating func develop(
    _ tile: Region,
    samples: UnsafePointer<UInt16>,
    stride: Int,
    writer: PictureWriter,
    tables: EncodingTables.Pointers
  ) {
    let area = plan.geometry.activeArea
    switch plan.layout {
    case .mosaic(let pattern):
      let corner = unsafe samples + (area.top * stride + area.left)
      unsafe developMosaic(
        tile,
        pattern: pattern,
        samples: corner,
        stride: stride,
        writer: writer,
        tables: tables
      )
    case .linear(let planes):
      let corner = unsafe samples + (area.top * stride + area.left * planes)
      unsafe developLinear(
        tile,
        planes: planes,
        samples: corner,
        stride: stride,
        writer: writer,
        tables: tables
      )
    }
  }

  private mutating func developMosaic(
    _ tile: Region,
    pattern: CFAPattern,
    samples: UnsafePointer<UInt16>,
    stride: Int,
    writer: PictureWriter,
    tables: EncodingTables.Pointers
  ) {
    let halo = MenonDemosaic.halo
    let cell = pattern.colors
    let firstPhase = cell[0] == 1 ? 1 : 0
    // The column of half-row index 0: even, also left of the picture.
    let origin = (tile.left - halo) & ~1
    let count = ((tile.right + halo - origin + 1) / 2 + 7) & ~7
    let shown = ((tile.left - origin) >> 1)..<(((tile.right - 1 - origin) >> 1) + 1)
    for y in (tile.top - halo)..<(tile.bottom + halo) {
      let parity = y & 1
      let phase = firstPhase ^ parity
      let colors = (cell[2 * parity], cell[2 * parity + 1])
      let even = phase == 0 ? demosaic.colors[y] : demosaic.greens[y]
      let odd = phase == 0 ? demosaic.greens[y] : demosaic.colors[y]
      unsafe load(
        y,
        origin: origin,
        end: tile.right + halo,
        count: count,
        colors: colors,
        even: even,
        odd: odd,
        samples: samples,
        stride: stride
      )
      let done = y - halo
      switch plan.demosaic {
      case .menon:
        demosaic.advance(to: y, first: tile.top, firstPhase: firstPhase, count: count)
        guard done >= tile.top else { continue }
        // Eight rows up has the same parity.
        demosaic.finish(done, phase: phase, count: count, atColors: first, atGreens: second)
      case .bilinear:
        guard done >= tile.top else { continue }
        let bilinear = BilinearDemosaic(colors: demosaic.colors, greens: demosaic.greens)
        bilinear.finish(done, phase: phase, count: count, atColors: first, atGreens: second)
      }
      let isRedRow = cell[2 * parity + phase] == 0
      let atColors = isRedRow ? first : [first[2], first[1], first[0]]
      let atGreens = isRedRow ? second : [second[2], second[1], second[0]]
      plan.pixels.apply(atColors, shown)
      plan.pixels.apply(atGreens, shown)
      let row = PictureWriter.Row(
        even: phase == 0 ? atColors : atGreens,
        odd: phase == 0 ? atGreens : atColors,
        origin: origin
      )
      unsafe packed.withUnsafeMutableSamples { packed in
        unsafe writer.write(
          row,
          y: done,
          columns: tile.columns,
          packed: packed,
          tables: tables
        )
      }
    }
  }

  /// Linearises row `y`, gains and all, and mirrors it beyond the picture's edges.
  private mutating func load(
    _ y: Int,
    origin: Int,
    end: Int,
    count: Int,
    colors: (Int, Int),
    even: SampleRow,
    odd: SampleRow,
    samples: UnsafePointer<UInt16>,
    stride: Int
  ) {
    let size = plan.geometry.activeArea.size
    let source = Mirror.index(y, count: size.height)
    let left = max(origin, 0)
    let right = min(origin + 2 * count, size.width)
    let stored = unsafe samples + (source * stride + left)
    let start = (left - origin) >> 1
    let linearization = plan.linearization
    unsafe codes.withUnsafeMutableSamples { codes in
      var row = unsafe stored
      if let table = linearization.table {
        for index in 0..<(right - left) {
          unsafe codes[index] = table[Int(stored[index])]
        }
        unsafe row = UnsafePointer(codes)
      }
      unsafe linearization.mosaicRow(
        row,
        row: source,
        first: left,
        count: right - left,
        colors: colors,
        even: even,
        odd: odd,
        start: start,
        blacks: blacks
      )
    }
    if !plan.gainMaps.maps.isEmpty {
      plan.gainMaps.apply(
        row: source,
        sample: 0,
        columns: left..<right,
        even: even,
        odd: odd,
        start: start,
        limits: (linearization.limits[colors.0], linearization.limits[colors.1]),
        gridRow: &gridRow
      )
    }
    func sample(_ x: Int) -> SampleRow { x & 1 == 0 ? even : odd }
    func mirror(_ columns: Range<Int>) {
      for x in columns {
        let mirrored = Mirror.index(x, count: size.width)
        sample(x)[(x - origin) >> 1] = sample(mirrored)[(mirrored - origin) >> 1]
      }
    }
    if origin < left { mirror(origin..<left) }
    if right < end { mirror(right..<end) }
  }

  private mutating func developLinear(
    _ tile: Region,
    planes: Int,
    samples: UnsafePointer<UInt16>,
    stride: Int,
    writer: PictureWriter,
    tables: EncodingTables.Pointers
  ) {
    let origin = tile.left & ~1
    let count = tile.right - origin
    let limits = plan.linearization.limits
    for y in tile.rows {
      unsafe plan.linearization.linearRow(
        samples + (y * stride + origin * planes),
        planes: planes,
        row: y,
        first: origin,
        count: count,
        even: first,
        odd: second,
        start: 0
      )
      if !plan.gainMaps.maps.isEmpty {
        for color in 0..<3 {
          plan.gainMaps.apply(
            row: y,
            sample: min(color, planes - 1),
            columns: origin..<tile.right,
            even: first[color],
            odd: second[color],
            start: 0,
            limits: (limits[color], limits[color]),
            gridRow: &gridRow
          )
        }
      }
      plan.pixels.apply(first, 0..<((count + 1) / 2))
      plan.pixels.apply(second, 0..<((count + 1) / 2))
      let row = PictureWriter.Row(even: first, odd: second, origin: origin)
      unsafe packed.withUnsafeMutableSamples { packed in
        unsafe writer.write(row, y: y, columns: tile.columns, packed: packed, tables: tables)
      }
    }
  }
}
