internal import ColorScience

extension LocalDetailStage {
  func apply(_ input: RegionTile, into output: RegionTile, scratch: RegionScratch) {
    let tile = AlignedTile(input)
    let wide = TileRange(rows: tile.rows, indices: tile.indices)
    let range = wide.grown(by: -halo)
    var rows = ScratchRows(scratch.rows)
    let bands = Bands(&rows)
    // The base is of cells that reach further than the bands, so it is made first.
    let base = contrast > 0 ? Base(self, &rows, tile, over: range, lightness: bands.change) : nil
    for y in (range.rows.lowerBound - Self.fineHalo)..<(range.rows.upperBound + Self.fineHalo) {
      bands.advance(self, tile, to: y, over: range)
      let done = y - Self.fineHalo
      guard range.rows.contains(done) else { continue }
      base?.spread(done, indices: range.indices)
      finish(done, bands, base, tile, range.indices, into: output)
    }
  }

  /// Lightness of a row.
  static func lightness(_ tile: AlignedTile, _ y: Int, _ indices: Range<Int>, into row: SampleRow) {
    let red = tile.row(0, y)
    let green = tile.row(1, y)
    let blue = tile.row(2, y)
    let weights = LuminanceWeights.romm
    let zero = Lanes(repeating: 0)
    for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
      let light = red[lanes: i] * weights.red + green[lanes: i] * weights.green
      let luminance = (light + blue[lanes: i] * weights.blue).maximum(zero)
      row[lanes: i] = (luminance + offset).portableSquareRoot
    }
  }

  private func finish(
    _ y: Int,
    _ bands: Bands,
    _ base: Base?,
    _ tile: AlignedTile,
    _ indices: Range<Int>,
    into output: RegionTile
  ) {
    let lightness = bands.lightness[y]
    let change = bands.change
    bands.add(self, y, indices)
    if let base {
      let smooth = bands.smooth[y]
      let amount = Lanes(repeating: contrast)
      let limit = Lanes(repeating: 1 / (Self.contrastLimit * Self.contrastLimit))
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let p = smooth[lanes: i]
        let band = p - (base.slope[lanes: i] * p + base.offset[lanes: i])
        let held = band / (band * band * limit + 1)
        change[lanes: i] += held * amount
      }
    }
    let source: [3 of SampleRow] = [tile.row(0, y), tile.row(1, y), tile.row(2, y)]
    let result = output.rows(y)
    let first = indices.lowerBound
    for i in stride(from: 0, to: indices.count, by: 8) {
      let p = lightness[lanes: first + i]
      let ratio = ((p + change[lanes: first + i]) / p).clamped(0.25, 4)
      let gain = ratio * ratio
      result[0][lanes: i] = source[0][lanes: first + i] * gain
      result[1][lanes: i] = source[1][lanes: first + i] * gain
      result[2][lanes: i] = source[2][lanes: first + i] * gain
    }
  }
}

/// Luminance of linear RGB in single precision.
struct LuminanceWeights {
  let red: Float
  let green: Float
  let blue: Float

  static let romm = LuminanceWeights(.romm)

  init(_ space: RGBSpace) {
    let row = space.toXYZ.rows[1]
    red = Float(row.x)
    green = Float(row.y)
    blue = Float(row.z)
  }
}
