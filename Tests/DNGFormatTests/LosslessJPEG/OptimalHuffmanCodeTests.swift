import DNGFormat
import TestSupport
import Testing

@Suite struct OptimalHuffmanCodeTests {
  @Test func oneSymbolGetsOneZeroBit() {
    let code = OptimalHuffmanCode(counts: counts([5: 100]))
    #expect(code.lengths[5] == 1)
    #expect(code.codes[5] == 0)
    #expect(code.symbolsByCode == [5])
    #expect(code.countsByLength == [1] + [UInt8](repeating: 0, count: 15))
  }

  /// Four equal symbols and the unused one: three of 2 bits, one of 3 bits whose sibling is unused.
  @Test func allOnesIsNeverUsed() {
    let code = OptimalHuffmanCode(counts: counts([0: 8, 1: 8, 2: 8, 3: 8]))
    #expect(code.countsByLength.prefix(3) == [0, 3, 1])
    for symbol in code.symbolsByCode {
      let length = code.lengths[Int(symbol)]
      #expect(code.codes[Int(symbol)] != (1 << UInt16(length)) - 1)
    }
  }

  /// Fibonacci counts want 17 bits; the limit holds and the code stays complete.
  @Test func lengthsEndAtSixteen() {
    var fibonacci: [Int: UInt32] = [:]
    var (a, b): (UInt32, UInt32) = (1, 1)
    for symbol in 0..<17 {
      fibonacci[symbol] = a
      (a, b) = (b, a + b)
    }
    let code = OptimalHuffmanCode(counts: counts(fibonacci))
    #expect(code.symbolsByCode.count == 17)
    #expect(code.symbolsByCode.allSatisfy { (1...16).contains(code.lengths[Int($0)]) })
    // Kraft: the symbols leave room for exactly one more code, as long as the longest.
    let used = code.symbolsByCode.reduce(0) { $0 + (1 << (16 - Int(code.lengths[Int($1)]))) }
    #expect(used == (1 << 16) - 1)
  }

  @Test(arguments: 0..<40) func costsAsMuchAsHuffmansOwnTree(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var numbers: [Int: UInt32] = [:]
    for symbol in 0..<Int.random(in: 1...17, using: &generator) {
      // Steep, so that lengths differ, but not so steep that the limit binds.
      let scale = UInt32(1) << UInt32.random(in: 0...12, using: &generator)
      numbers[symbol] = UInt32.random(in: 1...64, using: &generator) * scale
    }
    let code = OptimalHuffmanCode(counts: counts(numbers))
    let cost = numbers.reduce(0) { $0 + Int($1.value) * Int(code.lengths[$1.key]) }
    #expect(cost == huffmanCost(Array(numbers.values) + [0]), "seed \(seed)")
  }

  private func counts(_ numbers: [Int: UInt32]) -> [17 of UInt32] {
    .init { numbers[$0] ?? 0 }
  }

  /// The cost of Huffman's tree: the sum of all inner nodes.
  private func huffmanCost(_ weights: [UInt32]) -> Int {
    var nodes = weights.map { Int($0) }
    var cost = 0
    while nodes.count > 1 {
      nodes.sort(by: >)
      let node = nodes.removeLast() + nodes.removeLast()
      cost += node
      nodes.append(node)
    }
    return cost
  }
}
