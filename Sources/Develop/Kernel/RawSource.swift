internal import Raster
internal import RawModel
internal import Recipe

/// One lane's source of colours: stored codes, linearised and demosaiced.
// @safe: the samples are lent for as long as lanes live.
@safe
final class RawSource: RowSource {
  private let plan: DevelopPlan
  private let samples: ActiveSamples
  private let memory: ScratchMemory
  private var loader: SampleLoader
  private let demosaic: MenonDemosaic
  private let first: [3 of SampleRow]
  private let second: [3 of SampleRow]
  private var tiles: MosaicTiles?

  /// A source of regions up to `size`.
  ///
  /// - Throws: `RasterError` where scratch memory was refused.
  @unsafe
  init(
    _ plan: DevelopPlan,
    samples: ActiveSamples,
    size: PixelSize
  ) throws(RasterError) {
    // Halo on both sides, one column to begin at an even one, and whole vectors.
    let columns = size.width + 2 * MenonDemosaic.halo + 17
    var memory = try ScratchMemory(
      rowCount: MenonDemosaic.scratchRowCount + 6 + SampleLoader.scratchRowCount,
      samples: columns / 2 + 1
    )
    let loader = try SampleLoader(plan, columns: columns, &memory)
    let tiles =
      plan.mosaicStages.isEmpty
      ? nil : try MosaicTiles(plan, width: columns, height: size.height + 2 * MenonDemosaic.halo)
    self.plan = plan
    unsafe self.samples = samples
    self.loader = loader
    self.tiles = tiles
    demosaic = MenonDemosaic(&memory, noise: plan.demosaicNoise)
    let rows = memory.take(6)
    first = [rows.row(0), rows.row(1), rows.row(2)]
    second = [rows.row(3), rows.row(4), rows.row(5)]
    self.memory = memory
  }

  func produce(_ region: Region, into consumer: any RowConsumer) {
    switch plan.layout {
    case .mosaic(let pattern): produceMosaic(region, pattern: pattern, into: consumer)
    case .linear(let planes): produceLinear(region, planes: planes, into: consumer)
    case .array: preconditionFailure("other filter arrays are refused before")
    }
  }

  private func produceLinear(_ region: Region, planes: Int, into consumer: any RowConsumer) {
    let origin = region.left & ~1
    for y in region.rows {
      unsafe loader.loadLinear(
        y,
        planes: planes,
        origin: origin,
        count: region.right - origin,
        isBalanced: true,
        samples: samples,
        even: first,
        odd: second
      )
      consumer.take(
        SplitRow(even: first, odd: second, origin: origin, y: y, columns: region.columns)
      )
    }
  }

  private func produceMosaic(
    _ region: Region,
    pattern: CFAPattern,
    into consumer: any RowConsumer
  ) {
    let halo = MenonDemosaic.halo
    let cell = pattern.colors
    let firstPhase = cell[0] == 1 ? 1 : 0
    // The column of half-row index 0: even, also left of the picture.
    let origin = (region.left - halo) & ~1
    let end = region.right + halo
    let count = ((end - origin + 1) / 2 + 7) & ~7
    let lines = plan.lineStages
    let input = Region(
      left: origin,
      top: region.top - halo,
      width: end - origin,
      height: region.height + 2 * halo
    )
    let tile = unsafe tiles?.load(input, pattern: pattern, samples: samples, with: &loader)
    for y in input.rows {
      let parity = y & 1
      let phase = firstPhase ^ parity
      let target = SampleLoader.MosaicTarget(
        even: phase == 0 ? demosaic.colors[y] : demosaic.greens[y],
        odd: phase == 0 ? demosaic.greens[y] : demosaic.colors[y],
        origin: origin,
        count: count,
        end: end
      )
      if let tile {
        let colors = SampleLoader.colors(pattern, y)
        let gains = plan.linearization.gains
        Self.balance(tile.even(y), gains[colors.0], into: target.even, count: count)
        Self.balance(tile.odd(y), gains[colors.1], into: target.odd, count: count)
      } else {
        unsafe loader.loadMosaic(
          y,
          pattern: pattern,
          stages: lines,
          isBalanced: true,
          samples: samples,
          into: target
        )
      }
      let done = y - halo
      switch plan.demosaic {
      case .menon:
        demosaic.advance(to: y, first: region.top, firstPhase: firstPhase, count: count)
        guard done >= region.top else { continue }
        // Eight rows up has the same parity.
        demosaic.finish(done, phase: phase, count: count, atColors: first, atGreens: second)
      case .bilinear:
        guard done >= region.top else { continue }
        let bilinear = BilinearDemosaic(colors: demosaic.colors, greens: demosaic.greens)
        bilinear.finish(done, phase: phase, count: count, atColors: first, atGreens: second)
      }
      let isRedRow = cell[2 * parity + phase] == 0
      let atColors = isRedRow ? first : [first[2], first[1], first[0]]
      let atGreens = isRedRow ? second : [second[2], second[1], second[0]]
      consumer.take(
        SplitRow(
          even: phase == 0 ? atColors : atGreens,
          odd: phase == 0 ? atGreens : atColors,
          origin: origin,
          y: done,
          columns: region.columns
        )
      )
    }
  }

  private static func balance(_ source: SampleRow, _ gain: Float, into row: SampleRow, count: Int) {
    let gain = Lanes(repeating: gain)
    for i in stride(from: 0, to: count, by: 8) {
      row[lanes: i] = source[lanes: i] * gain
    }
  }
}
