package import FileSystem

/// In which order the jobs of a submission are done.
package enum SubmissionOrder: String, CaseIterable, Sendable {
  /// As the inputs were named and found, folder by folder.
  case name
  /// The first, the last and the middle frame of each folder, then the middles between those, and so on:
  /// after a quarter of the work every fourth frame is there.
  case earlyLook = "early-look"

  /// Levels that a priority has room for, more than the logarithm of any number of files.
  private static let levels = 64

  /// Priorities within the batch, for files in their order with priorities of their own: jobs of one
  /// priority keep their order.
  package func priorities(of files: [(path: FilePath, priority: Int)]) -> [Int] {
    guard self == .earlyLook else { return files.map(\.priority) }
    var priorities = files.map { $0.priority * Self.levels }
    let folders = Dictionary(grouping: files.indices) { files[$0].path.parent }
    for indices in folders.values {
      let sorted = indices.sorted { (files[$0].path, $0) < (files[$1].path, $1) }
      for (index, level) in zip(sorted, Self.bisectionLevels(sorted.count)) {
        priorities[index] += Self.levels - 1 - level
      }
    }
    return priorities
  }

  /// At which step bisection comes to each of `count` places.
  ///
  /// 0 is the first, 1 the last, 2 the middle, 3 the quarters, 4 the eighths, and so on.
  package static func bisectionLevels(_ count: Int) -> [Int] {
    guard count > 0 else { return [] }
    var levels = Array(repeating: 0, count: count)
    guard count > 1 else { return levels }
    levels[count - 1] = 1
    // Gaps between places that have a level.
    var gaps = [(low: 0, high: count - 1)]
    var level = 2
    while !gaps.isEmpty {
      var next: [(low: Int, high: Int)] = []
      for gap in gaps where gap.high - gap.low > 1 {
        let middle = (gap.low + gap.high) / 2
        levels[middle] = level
        next.append((gap.low, middle))
        next.append((middle, gap.high))
      }
      gaps = next
      level += 1
    }
    return levels
  }
}
