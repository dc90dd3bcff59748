import Discovery
import FileSystem
import Testing

@Suite struct SubmissionOrderTests {
  @Test(arguments: [
    (0, []), (1, [0]), (2, [0, 1]), (3, [0, 2, 1]), (5, [0, 3, 2, 3, 1]),
    (9, [0, 4, 3, 4, 2, 4, 3, 4, 1]),
  ])
  func bisection(_ count: Int, _ levels: [Int]) {
    #expect(SubmissionOrder.bisectionLevels(count) == levels)
  }

  /// Every place has a level, and no gap between places of the levels so far is twice another's.
  @Test(arguments: [3, 7, 100, 1_000, 4_097])
  func theFramesAreSpreadEvenly(_ count: Int) {
    let levels = SubmissionOrder.bisectionLevels(count)
    #expect(levels.filter { $0 < 2 }.count == min(count, 2))
    for level in 2...(levels.max() ?? 2) {
      let places = levels.indices.filter { levels[$0] <= level }
      let gaps = zip(places, places.dropFirst()).map { $1 - $0 }
      #expect((gaps.max() ?? 0) <= 2 * (gaps.min() ?? 0) + 1, "level \(level): \(gaps)")
    }
  }

  @Test func foldersAreTakenByName() {
    let files: [(path: FilePath, priority: Int)] = [
      ("/a/3", 0), ("/a/1", 0), ("/b/1", 0), ("/a/2", 0), ("/b/2", 1),
    ]
    #expect(SubmissionOrder.name.priorities(of: files) == [0, 0, 0, 0, 1])
    // 63 is the first level, 62 the last frame, 61 the middle; a priority of one's own is 64.
    #expect(SubmissionOrder.earlyLook.priorities(of: files) == [62, 63, 63, 61, 126])
  }

  /// The priorities of a list fit the database's column in every order.
  @Test func prioritiesFit() {
    for priority in [InputEntry.priorities.lowerBound, InputEntry.priorities.upperBound] {
      let result = SubmissionOrder.earlyLook.priorities(of: [("/a", priority)])
      #expect(result.allSatisfy { Int16(exactly: $0) != nil })
    }
  }
}
