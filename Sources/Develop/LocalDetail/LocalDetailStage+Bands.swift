extension LocalDetailStage {
  /// Lightness, its smoothings and what the fine bands add, row after row.
  struct Bands {
    let lightness: RowRing
    /// The Gaussian.
    let smooth: RowRing
    /// Squares of lightness less the Gaussian.
    private let squares: RowRing
    /// Smallest and largest of three in a row.
    private let lows: RowRing
    private let highs: RowRing
    private let coarse: SampleRow
    private let power: SampleRow
    private let column: SampleRow
    /// What is added to a row of lightness.
    let change: SampleRow

    init(_ scratch: inout ScratchRows) {
      lightness = scratch.ring(16)
      smooth = scratch.ring(16)
      squares = scratch.ring(8)
      lows = scratch.ring(8)
      highs = scratch.ring(8)
      coarse = scratch.row()
      power = scratch.row()
      column = scratch.row()
      change = scratch.row()
    }

    /// Takes row `y` in: the Gaussian follows two rows behind, the rest with `add`.
    func advance(_ stage: LocalDetailStage, _ tile: AlignedTile, to y: Int, over range: TileRange) {
      let indices = range.indices
      let reach = LocalDetailStage.fineHalo
      let wide = (indices.lowerBound - reach)..<(indices.upperBound + reach)
      LocalDetailStage.lightness(tile, y, wide, into: lightness[y])
      guard y - 4 >= range.rows.lowerBound - reach else { return }
      let inner = (wide.lowerBound + 2)..<(wide.upperBound - 2)
      gaussian(stage, y - 2, inner)
      guard stage.sharpness > 0 || stage.detail > 0 else { return }
      let row = y - 2
      let p = lightness[row]
      let g = smooth[row]
      let square = squares[row]
      let low = lows[row]
      let high = highs[row]
      let near = (indices.lowerBound - 1)..<(indices.upperBound + 1)
      for i in stride(from: near.lowerBound, to: near.upperBound, by: 8) {
        let value = p[lanes: i]
        let band = value - g[lanes: i]
        square[lanes: i] = band * band
        let left = p[lanes: i - 1]
        let right = p[lanes: i + 1]
        low[lanes: i] = value.minimum(left.minimum(right))
        high[lanes: i] = value.maximum(left.maximum(right))
      }
    }

    private func gaussian(_ stage: LocalDetailStage, _ y: Int, _ indices: Range<Int>) {
      let middle = Lanes(repeating: stage.gaussian[0])
      let near = Lanes(repeating: stage.gaussian[1])
      let far = Lanes(repeating: stage.gaussian[2])
      let a = lightness[y - 2]
      let b = lightness[y - 1]
      let c = lightness[y]
      let d = lightness[y + 1]
      let e = lightness[y + 2]
      for i in stride(from: indices.lowerBound - 2, to: indices.upperBound + 2, by: 8) {
        let outer = (a[lanes: i] + e[lanes: i]) * far
        column[lanes: i] = outer + (b[lanes: i] + d[lanes: i]) * near + c[lanes: i] * middle
      }
      let row = smooth[y]
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let outer = (column[lanes: i - 2] + column[lanes: i + 2]) * far
        let inner = (column[lanes: i - 1] + column[lanes: i + 1]) * near
        row[lanes: i] = outer + inner + column[lanes: i] * middle
      }
    }

    /// Works out `change` for a row whose neighbours are all there.
    func add(_ stage: LocalDetailStage, _ y: Int, _ indices: Range<Int>) {
      guard stage.sharpness > 0 || stage.detail > 0 else {
        for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
          change[lanes: i] = Lanes(repeating: 0)
        }
        return
      }
      smoothPower(y, indices)
      if stage.detail > 0 {
        SplineSmoothing.row(
          y,
          of: smooth,
          into: coarse,
          step: stage.step,
          indices: indices,
          column: column
        )
      }
      sharpen(stage, y, indices)
    }

    /// Means of the squares, `(1, 2, 1) / 4` in both directions.
    private func smoothPower(_ y: Int, _ indices: Range<Int>) {
      let above = squares[y - 1]
      let middle = squares[y]
      let below = squares[y + 1]
      for i in stride(from: indices.lowerBound - 1, to: indices.upperBound + 1, by: 8) {
        column[lanes: i] = above[lanes: i] + below[lanes: i] + middle[lanes: i] * 2
      }
      let scale = Lanes(repeating: 1.0 / 16)
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let sides = column[lanes: i - 1] + column[lanes: i + 1]
        power[lanes: i] = (sides + column[lanes: i] * 2) * scale
      }
    }

    private func sharpen(_ stage: LocalDetailStage, _ y: Int, _ indices: Range<Int>) {
      let p = lightness[y]
      let g = smooth[y]
      let sharpness = Lanes(repeating: stage.sharpness)
      let detail = Lanes(repeating: stage.detail)
      let hasDetail = stage.detail > 0
      let limit = Lanes(
        repeating: 1 / (LocalDetailStage.detailLimit * LocalDetailStage.detailLimit)
      )
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let value = p[lanes: i]
        let noise = stage.deviation(value)
        let band = value - g[lanes: i]
        let strength = power[lanes: i]
        // Twice the noise is half an edge.
        let edge = strength / (strength + noise * noise * 4 + 1e-9)
        var added = Self.over(band, noise) * edge * sharpness
        if hasDetail {
          let wide = Self.over(value - coarse[lanes: i], noise)
          added += wide / (wide * wide * limit + 1) * detail
        }
        change[lanes: i] = added
      }
      hold(y, indices)
    }

    /// What of a band is over the noise.
    @inline(__always)
    private static func over(_ band: Lanes, _ noise: Lanes) -> Lanes {
      let threshold = noise * LocalDetailStage.threshold
      return band - band.maximum(-threshold).minimum(threshold)
    }

    /// Holds the sum within the neighbours' range and a part of it.
    private func hold(_ y: Int, _ indices: Range<Int>) {
      let p = lightness[y]
      let rows = (lows[y - 1], lows[y], lows[y + 1])
      let tops = (highs[y - 1], highs[y], highs[y + 1])
      let share = Lanes(repeating: LocalDetailStage.overshoot)
      for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
        let low = rows.0[lanes: i].minimum(rows.1[lanes: i]).minimum(rows.2[lanes: i])
        let high = tops.0[lanes: i].maximum(tops.1[lanes: i]).maximum(tops.2[lanes: i])
        let margin = (high - low) * share
        let value = p[lanes: i]
        let wanted = value + change[lanes: i]
        let held = wanted.maximum(low - margin).minimum(high + margin)
        change[lanes: i] = held - value
      }
    }
  }

  /// Noise of lightness at a lightness.
  @inline(__always)
  func deviation(_ p: Lanes) -> Lanes {
    let cubic = (p * noise[3] + noise[2]) * p + noise[1]
    return (cubic * p + noise[0]).maximum(Lanes(repeating: 0))
  }
}
