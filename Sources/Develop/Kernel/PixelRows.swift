/// Pixel stages that run on rows as they come.
struct PixelRows {
  let stages: [any PixelStage]
  let geometry: RegionGeometry
  let scratch: SampleRow.Allocation

  /// Rows of scratch that stages want at the most.
  static func scratchRowCount(_ stages: [any PixelStage]) -> Int {
    stages.reduce(0) { max($0, $1.scratchRowCount) }
  }

  @inline(__always)
  func run(_ row: SplitRow) {
    guard !stages.isEmpty else { return }
    let range = row.pairs
    var place = geometry.place(x: row.origin, y: row.y)
    place.step *= 2
    run(PixelRow(rows: row.even, range: range, place: place, scratch: scratch))
    place.x = geometry.place(x: row.origin + 1, y: row.y).x
    run(PixelRow(rows: row.odd, range: range, place: place, scratch: scratch))
  }

  @inline(__always)
  func run(_ rows: [3 of SampleRow], y: Int, columns: Range<Int>) {
    guard !stages.isEmpty else { return }
    let place = geometry.place(x: columns.lowerBound, y: y)
    run(PixelRow(rows: rows, range: 0..<columns.count, place: place, scratch: scratch))
  }

  @inline(__always)
  private func run(_ row: PixelRow) {
    for stage in stages { stage.apply(row) }
  }
}
