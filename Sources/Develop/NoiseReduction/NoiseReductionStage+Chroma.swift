extension NoiseReductionStage {
  /// The guided filter of chroma on cells of 4x4 pixels.
  struct Chroma {
    private static let radius = NoiseReductionStage.radius

    private let grid: CellGrid
    /// C1, luma and C2 of up to four rows, summed.
    private let sums: SampleRow.Allocation
    /// The filter at the pixels of a row.
    private let spread: SampleRow.Allocation
    /// Means of C1, luma and C2 of each cell; later the first three means of the filter.
    private let cells: [3 of SampleRow.Allocation]
    /// The filter of each cell: slope and offset of C1, of C2, and how much of it is taken.
    private let filters: [5 of SampleRow.Allocation]
    private let laterMeans: [2 of SampleRow.Allocation]
    private let columns: SampleRow.Allocation
    private let between: SampleRow

    init(_ scratch: inout ScratchRows, over range: TileRange) {
      grid = CellGrid(range, reach: 2 * Self.radius)
      let rows = grid.rows.count
      sums = scratch.take(3)
      spread = scratch.take(5)
      columns = scratch.take(8)
      between = scratch.row()
      cells = [scratch.take(rows), scratch.take(rows), scratch.take(rows)]
      filters = [
        scratch.take(rows), scratch.take(rows), scratch.take(rows), scratch.take(rows),
        scratch.take(rows),
      ]
      laterMeans = [scratch.take(rows), scratch.take(rows)]
    }

    private func mean(_ number: Int) -> SampleRow.Allocation {
      number < 3 ? cells[number] : laterMeans[number - 3]
    }

    /// Adds a row of C1, luma and C2 to the cells.
    func collect(_ tile: AlignedTile, row y: Int) {
      for color in 0..<3 {
        grid.collect(tile.row(color, y), y, sum: sums.row(color), into: cells[color])
      }
    }

    /// Works out the filter of each cell and the means over its neighbourhood.
    func filter(_ stage: NoiseReductionStage) {
      let inner = grid.inner(Self.radius)
      for r in inner.rows {
        sumProducts(r)
        fit(stage, r, columns: inner.columns)
      }
      for number in 0..<5 {
        grid.mean(
          filters[number],
          margin: Self.radius,
          radius: Self.radius,
          into: mean(number),
          column: columns.row(0)
        )
      }
    }

    /// Sums along columns of cells: luma, C1, C2 and their products.
    private func sumProducts(_ r: Int) {
      for i in stride(from: grid.columns.lowerBound, to: grid.columns.upperBound, by: 8) {
        var guide = Lanes()
        var guideSquare = Lanes()
        var first = Lanes()
        var firstSquare = Lanes()
        var firstGuide = Lanes()
        var second = Lanes()
        var secondSquare = Lanes()
        var secondGuide = Lanes()
        for offset in -Self.radius...Self.radius {
          let c1 = cells[0].row(r + offset)[lanes: i]
          let y = cells[1].row(r + offset)[lanes: i]
          let c2 = cells[2].row(r + offset)[lanes: i]
          guide += y
          guideSquare += y * y
          first += c1
          firstSquare += c1 * c1
          firstGuide += c1 * y
          second += c2
          secondSquare += c2 * c2
          secondGuide += c2 * y
        }
        columns.row(0)[lanes: i] = guide
        columns.row(1)[lanes: i] = guideSquare
        columns.row(2)[lanes: i] = first
        columns.row(3)[lanes: i] = firstSquare
        columns.row(4)[lanes: i] = firstGuide
        columns.row(5)[lanes: i] = second
        columns.row(6)[lanes: i] = secondSquare
        columns.row(7)[lanes: i] = secondGuide
      }
    }

    /// Fits chroma to luma around each cell of a row.
    private func fit(_ stage: NoiseReductionStage, _ r: Int, columns range: Range<Int>) {
      let epsilon = Lanes(repeating: NoiseReductionStage.guideEpsilon)
      let firstNoise = Lanes(repeating: 1 / stage.chromaVariances.0)
      let secondNoise = Lanes(repeating: 1 / stage.chromaVariances.1)
      let lower = Lanes(repeating: NoiseReductionStage.structureStart)
      let span = Lanes(
        repeating: 1 / (NoiseReductionStage.structureEnd - NoiseReductionStage.structureStart)
      )
      for c in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        func mean(_ number: Int) -> Lanes {
          CellGrid.mean(columns.row(number), around: c, radius: Self.radius)
        }
        let guide = mean(0)
        let divisor = Lanes(repeating: 1) / (mean(1) - guide * guide + epsilon)
        func fit(_ number: Int) -> (slope: Lanes, offset: Lanes, rest: Lanes) {
          let value = mean(number)
          let variance = mean(number + 1) - value * value
          let covariance = mean(number + 2) - value * guide
          let slope = covariance * divisor
          return (slope, value - slope * guide, variance - slope * covariance)
        }
        let first = fit(2)
        let second = fit(5)
        let excess = (first.rest * firstNoise).maximum(second.rest * secondNoise)
        filters[0].row(r)[lanes: c] = first.slope
        filters[1].row(r)[lanes: c] = first.offset
        filters[2].row(r)[lanes: c] = second.slope
        filters[3].row(r)[lanes: c] = second.offset
        filters[4].row(r)[lanes: c] =
          Lanes(repeating: 1) - ((excess - lower) * span).smoothStep
      }
    }

    /// Filters the chroma of row `y`, whose luma is final.
    func apply(
      _ stage: NoiseReductionStage,
      _ tile: AlignedTile,
      row y: Int,
      indices: Range<Int>
    ) {
      for number in 0..<5 {
        grid.spread(
          mean(number),
          y,
          indices: indices,
          between: between,
          into: spread.row(number)
        )
      }
      let luma = tile.row(1, y)
      let amount = Lanes(repeating: stage.chromaAmount)
      let share = spread.row(4)
      for (color, number) in [(0, 0), (2, 2)] {
        let row = tile.row(color, y)
        let slope = spread.row(number)
        let offset = spread.row(number + 1)
        for i in stride(from: indices.lowerBound, to: indices.upperBound, by: 8) {
          let chroma = row[lanes: i]
          let filtered = slope[lanes: i] * luma[lanes: i] + offset[lanes: i]
          row[lanes: i] = chroma + (filtered - chroma) * (share[lanes: i] * amount)
        }
      }
    }
  }
}
