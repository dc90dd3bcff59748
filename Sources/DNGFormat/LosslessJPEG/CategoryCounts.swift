/// How often each category occurs in each component's differences.
///
/// A category is the number of bits of a magnitude. Instead of a counter for each category, for which
/// every other difference would have to wait, whole vectors are compared with one power of two at a
/// time: the differences of a category are those that reach its power and not the next.
struct CategoryCounts {
  private typealias Lanes = SIMD16<UInt16>

  /// Vectors of a step: three hold a whole number of pixels of any number of components.
  private static let vectors = 3
  /// Differences of a step.
  private static let step = vectors * Lanes.scalarCount
  /// Steps after which lanes are added up: so few that a lane's 16 bits hold its count, and that the
  /// magnitudes stay in the first-level cache.
  private static let chunk = 128

  /// By component, then category.
  private(set) var counts: [[17 of UInt32]]
  private var magnitudes: [Lanes]

  /// - Parameters:
  ///   - differences: A whole number of pixels.
  ///   - components: 1 to 4, interleaved.
  init(_ differences: Span<Int16>, components: Int) {
    counts = [[17 of UInt32]](repeating: .init(repeating: 0), count: components)
    magnitudes = [Lanes](repeating: Lanes(), count: Self.chunk * Self.vectors)
    var start = 0
    while start < differences.count {
      let end = min(differences.count, start + Self.chunk * Self.step)
      add(differences.extracting(start..<end))
      start = end
    }
  }

  private mutating func add(_ differences: Span<Int16>) {
    let components = counts.count
    let all = load(differences)
    let highest = 16 - all.leadingZeroBitCount
    let stepCount = (differences.count + Self.step - 1) / Self.step
    var reached = [UInt32](repeating: UInt32(differences.count / components), count: components)
    for category in 1..<highest + 1 {
      let next = sums(reaching: 1 << UInt16(category - 1), stepCount)
      for component in 0..<components {
        counts[component][category - 1] &+= reached[component] &- next[component]
      }
      reached = next
    }
    for component in 0..<components { counts[component][highest] &+= reached[component] }
  }

  /// Stores the magnitudes, the last step filled up with zeros.
  ///
  /// - Returns: The bits that any of them has.
  private mutating func load(_ differences: Span<Int16>) -> UInt16 {
    // Int16 has no padding, and the loads are bounds-checked.
    let bytes = unsafe differences.bytes
    var output = magnitudes.mutableSpan
    var all = Lanes()
    let whole = differences.count / Lanes.scalarCount
    for index in 0..<whole {
      let lanes = unsafe bytes.unsafeLoadUnaligned(
        fromByteOffset: index &* MemoryLayout<Lanes>.size,
        as: SIMD16<Int16>.self
      )
      let signs = lanes &>> SIMD16<Int16>(repeating: 15)
      let magnitudes = Lanes(truncatingIfNeeded: (lanes ^ signs) &- signs)
      output[index] = magnitudes
      all |= magnitudes
    }
    if whole < output.count {
      var rest = Lanes()
      for index in whole * Lanes.scalarCount..<differences.count {
        rest[index % Lanes.scalarCount] = differences[index].magnitude
      }
      output[whole] = rest
      all |= rest
      for index in whole + 1..<max(whole + 1, min(output.count, whole + Self.vectors)) {
        output[index] = Lanes()
      }
    }
    return (0..<Lanes.scalarCount).reduce(0) { $0 | all[$1] }
  }

  /// How many magnitudes of each component are not below a threshold.
  private func sums(reaching threshold: UInt16, _ stepCount: Int) -> [UInt32] {
    let lanes = counts(reaching: threshold, stepCount)
    var sums = [UInt32](repeating: 0, count: counts.count)
    var component = 0
    func add(_ lanes: Lanes) {
      for lane in 0..<Lanes.scalarCount {
        sums[component] &+= UInt32(lanes[lane])
        component = component + 1 == sums.count ? 0 : component + 1
      }
    }
    add(lanes.0)
    add(lanes.1)
    add(lanes.2)
    return sums
  }

  private func counts(
    reaching threshold: UInt16,
    _ stepCount: Int
  ) -> (Lanes, Lanes, Lanes) {
    let thresholds = Lanes(repeating: threshold)
    let one = Lanes(repeating: 1)
    let input = magnitudes.span
    var (first, second, third) = (Lanes(), Lanes(), Lanes())
    for step in 0..<stepCount {
      let index = Self.vectors &* step
      first.replace(with: first &+ one, where: input[index] .>= thresholds)
      second.replace(with: second &+ one, where: input[index &+ 1] .>= thresholds)
      third.replace(with: third &+ one, where: input[index &+ 2] .>= thresholds)
    }
    return (first, second, third)
  }
}
