internal import Raster

extension NoiseReductionStage {
  func apply(_ input: RegionTile, into output: RegionTile, scratch: RegionScratch) {
    // Seen from the input's columns throughout; its pixels are used up.
    let tile = AlignedTile(input)
    let wide = TileRange(rows: tile.rows, indices: tile.indices)
    let range = wide.grown(by: -halo)
    var rows = ScratchRows(scratch.rows)
    let luma = Luma(&rows)
    let chroma = Chroma(&rows, over: range)
    for y in wide.rows {
      stabilize(tile, row: y, indices: wide.indices)
      if chromaAmount > 0 { chroma.collect(tile, row: y) }
      if lumaStrength > 0 { luma.advance(self, tile, to: y, over: range) }
    }
    if chromaAmount > 0 { chroma.filter(self) }
    for y in range.rows {
      if chromaAmount > 0 { chroma.apply(self, tile, row: y, indices: range.indices) }
      restore(tile, row: y, first: range.indices.lowerBound, into: output)
    }
  }

  /// Red, green and blue to C1, Y and C2.
  private func stabilize(_ tile: AlignedTile, row y: Int, indices: Range<Int>) {
    let red = tile.row(0, y)
    let green = tile.row(1, y)
    let blue = tile.row(2, y)
    for color in 0..<3 {
      let row = tile.row(color, y)
      let transform = transforms[color]
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        row[lanes: i] = transform.stabilized(row[lanes: i])
      }
    }
    for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
      let g = green[lanes: i]
      let c1 = red[lanes: i] - g
      let c2 = blue[lanes: i] - g
      red[lanes: i] = c1
      blue[lanes: i] = c2
      green[lanes: i] = g + (c1 + c2) * 0.25
    }
  }

  /// C1, Y and C2 to red, green and blue.
  private func restore(_ tile: AlignedTile, row y: Int, first: Int, into output: RegionTile) {
    let rows = output.rows(y)
    let c1Row = tile.row(0, y)
    let lumaRow = tile.row(1, y)
    let c2Row = tile.row(2, y)
    let transforms = transforms
    for i in stride(from: 0, to: output.region.width, by: 8) {
      let c1 = c1Row[lanes: first + i]
      let c2 = c2Row[lanes: first + i]
      let g = lumaRow[lanes: first + i] - (c1 + c2) * 0.25
      rows[0][lanes: i] = transforms[0].restored(g + c1)
      rows[1][lanes: i] = transforms[1].restored(g)
      rows[2][lanes: i] = transforms[2].restored(g + c2)
    }
  }
}
