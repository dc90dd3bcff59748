internal import RawModel
import Testing

@Suite struct BlackLevelTests {
  @Test("The highest level is one that a pixel has")
  func highest() {
    // High columns have the low cells, and row 1 the high delta: 500 + 10 + 3, not 505 + 10 + 3.
    let level = BlackLevel(
      repeatRows: 1,
      repeatColumns: 2,
      samplesPerPixel: 1,
      values: [505, 500],
      deltaH: [0, 10, 0, 10],
      deltaV: [0, 3]
    )
    #expect(level.highest(sample: 0) == 513)
    var found = -Double.infinity
    for row in 0..<2 {
      for column in 0..<4 {
        found = max(found, level.level(row: row, column: column, sample: 0))
      }
    }
    #expect(level.highest(sample: 0) == found)
  }

  @Test("Each sample has a highest level of its own, over all cells of the pattern")
  func samples() {
    let level = BlackLevel(
      repeatRows: 2,
      repeatColumns: 1,
      samplesPerPixel: 3,
      values: [1, 20, 3, 4, 5, 60]
    )
    #expect((0..<3).map { level.highest(sample: $0) } == [4, 20, 60])
  }

  @Test("Cells that the active area is too small to have don't count")
  func smallArea() {
    let level = BlackLevel(
      repeatRows: 1,
      repeatColumns: 3,
      samplesPerPixel: 1,
      values: [1, 2, 99],
      deltaH: [0.5, -1]
    )
    #expect(level.highest(sample: 0) == 1.5)
  }
}
