import Diagnostics
import Raster
import SceneStatistics
import Testing

@Suite struct StatisticsErrorTests {
  static let table: [(StatisticsError, ErrorCode, Disposition)] = [
    (.layoutUnsupported(planes: 4), "statisticsLayoutUnsupported", .permanent),
    (.areaUnusable(tag: "ActiveArea"), "statisticsAreaUnusable", .permanent),
    (.levelsUnusable(plane: "red", black: 5, white: 4), "statisticsLevelsUnusable", .permanent),
    (.raster(.allocationRefused(bytes: 1, limit: 0)), "allocationRefused", .resource),
  ]

  @Test(arguments: table.indices)
  func codesAndDispositions(index: Int) {
    let (error, code, disposition) = Self.table[index]
    #expect(error.code == code && error.disposition == disposition && !error.message.isEmpty)
  }
}
