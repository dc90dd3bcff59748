import SceneStatistics
import TestSupport
import Testing

@Suite struct PackedHistogramTests {
  /// Takes a packed histogram apart as its documentation says.
  private static func unpack(_ packed: PackedHistogram) -> [UInt32] {
    var levels = Array(0..<packed.levelCount)
    if let occupied = packed.occupied {
      levels = levels.filter { occupied[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
    }
    var counts = [UInt32](repeating: 0, count: packed.levelCount)
    var place = 0
    for start in stride(from: 0, to: levels.count, by: 64) {
      let block = levels[start..<min(start + 64, levels.count)]
      let width = Int(packed.counts[place] & 63)
      let lowestLength = Int(packed.counts[place] >> 6) + 1
      let lowest = packed.counts[place + 1..<place + 1 + lowestLength].reduce(0) {
        $0 << 8 | UInt64($1)
      }
      place += 1 + lowestLength
      for (index, level) in block.enumerated() {
        var value: UInt64 = 0
        for bit in index * width..<(index + 1) * width {
          value = value << 1 | UInt64(packed.counts[place + bit / 8] >> UInt8(7 - bit % 8) & 1)
        }
        counts[level] = UInt32(lowest + value)
      }
      place += (block.count * width + 7) / 8
    }
    #expect(place == packed.counts.count)
    return counts
  }

  @Test func aFewByHand() {
    let packed = PackedHistogram(LevelHistogram(counts: [0, 0, 0, 5, 7, 6]))
    #expect(packed.firstLevel == 3 && packed.levelCount == 3 && packed.occupied == nil)
    // Width 2, one byte of the lowest count 5; then 0, 2, 1.
    #expect(packed.counts == [0b00_000010, 5, 0b0010_0100])
    let even = PackedHistogram(LevelHistogram(counts: [UInt32](repeating: 70_000, count: 64)))
    #expect(even.counts == [0b10_000000, 1, 0x11, 0x70])
    let none = PackedHistogram(LevelHistogram(counts: [0, 0]))
    #expect(none.counts.isEmpty && none.levelCount == 0)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func everyCountComesBack(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let length = Int.random(in: 1...3_000, using: &generator)
    // From even noise to one level in eight, and up to the largest count.
    let highest: UInt32 = [3, 900, 70_000, 1 << 31, .max, 12][Int(seed) - 1]
    let gap = seed.isMultiple(of: 2) ? 8 : 1
    let counts = (0..<length).map { level in
      level % gap == 0 ? UInt32.random(in: 0...highest, using: &generator) : 0
    }
    let histogram = LevelHistogram(counts: counts)
    let packed = PackedHistogram(histogram)
    #expect(Self.unpack(packed) == histogram.counts)
    #expect(packed.firstLevel == histogram.firstLevel)
    if gap == 8 { #expect(packed.occupied != nil) }
  }
}
