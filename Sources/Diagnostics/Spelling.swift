/// Finds what somebody who mistyped a word most likely meant.
package enum Spelling {
  /// The nearest of the valid words, if one is near enough to be meant.
  ///
  /// Near is at most one edit for each three letters begun. Case does not count; the
  /// earlier of two equally near words is taken.
  package static func nearest(to word: String, among valid: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased())
    // The distance costs length squared.
    guard !typed.isEmpty, typed.count <= 80 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in valid {
      let letters = Array(candidate.lowercased())
      let limit = (max(typed.count, letters.count) + 2) / 3
      guard abs(typed.count - letters.count) <= limit else { continue }
      let distance = editDistance(typed, letters)
      if distance <= limit, distance < letters.count, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string
  /// alignment distance).
  static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        let replaced = previous[j] + (a[i] == b[j] ? 0 : 1)
        var distance = min(replaced, previous[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          distance = min(distance, beforePrevious[j - 1] + 1)
        }
        row.append(distance)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
