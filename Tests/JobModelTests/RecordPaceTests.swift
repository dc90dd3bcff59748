import JobModel
import Testing

/// Groups of audited files, on a clock of the test's own.
@Suite struct RecordPaceTests {
  /// The places at which groups end.
  private func ends(_ files: [(bytes: Int64, seconds: Int)]) -> [Int] {
    var pace = RecordPace(now: .seconds(1_000))
    return files.indices.filter { index in
      pace.endsGroup(
        afterFileOf: files[index].bytes,
        now: .seconds(1_000 + files[index].seconds)
      )
    }
  }

  @Test func aHundredSmallFilesAreAGroup() {
    #expect(ends(Array(repeating: (1_000, 0), count: 250)) == [99, 199])
  }

  @Test func soAreAHundredMegabytes() {
    #expect(ends(Array(repeating: (25_000_000, 0), count: 10)) == [3, 7])
    #expect(ends([(99_999_999, 0), (0, 0), (1, 0), (200_000_000, 0)]) == [2, 3])
  }

  @Test func soAreFiveSeconds() {
    #expect(ends([(1, 1), (1, 4), (1, 5), (1, 9), (1, 10), (1, 11), (1, 40)]) == [2, 4, 6])
  }
}
