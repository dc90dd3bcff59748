/// How often each category occurs in each component's differences.
///
/// Instead of a counter for each category, for which every other difference would have to wait, whole
/// vectors are compared with one category at a time.
struct CategoryCounts {
  private typealias Lanes = SIMD16<UInt16>

  /// Vectors of a step: three hold a whole number of pixels of any number of components.
  private static let vectors = 3
  private static let step = vectors * Lanes.scalarCount
  /// Categories that are counted at a time: so few that a lane's 16 bits hold its count, and that they
  /// stay in the first-level cache.
  static let chunk = 128 * step
  /// Fills the last step up.
  private static let none = UInt16(17)

  /// By component, then category.
  private(set) var counts: [[17 of UInt32]] = []
  /// Categories that are not counted yet, of whole pixels.
  private var categories = [UInt16](repeating: none, count: chunk)
  private var count = 0
  /// The bits that the magnitude of any of them has.
  private var magnitudes: UInt16 = 0

  /// Starts anew.
  ///
  /// - Parameter components: 1 to 4.
  mutating func start(components: Int) {
    counts = [[17 of UInt32]](repeating: .init(repeating: 0), count: components)
    count = 0
    magnitudes = 0
  }

  /// How many categories can be added before they are counted.
  var room: Int { Self.chunk - count }

  /// Lends room for `count` categories to a function that returns the bits of their magnitudes.
  @unsafe
  mutating func add(count: Int, _ fill: (UnsafeMutablePointer<UInt16>) -> UInt16) {
    precondition(count <= room, "room for the categories")
    magnitudes |= unsafe categories.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe fill($0 + self.count) } ?? 0
    }
    self.count += count
    if room == 0 { flush() }
  }

  /// Counts what has been added.
  mutating func flush() {
    let steps = (count + Self.step - 1) / Self.step
    for index in count..<steps * Self.step { categories[index] = Self.none }
    let highest = 16 - magnitudes.leadingZeroBitCount
    for category in 0...highest {
      let lanes = occurrences(of: UInt16(category), steps: steps)
      var component = 0
      for vector in [lanes.0, lanes.1, lanes.2] {
        for lane in 0..<Lanes.scalarCount {
          counts[component][category] &+= UInt32(vector[lane])
          component = component + 1 == counts.count ? 0 : component + 1
        }
      }
    }
    count = 0
    magnitudes = 0
  }

  private func occurrences(of category: UInt16, steps: Int) -> (Lanes, Lanes, Lanes) {
    let wanted = Lanes(repeating: category)
    let one = Lanes(repeating: 1)
    precondition(steps * Self.step <= categories.count, "categories for all steps")
    // The loads lie within the steps.
    return unsafe categories.withUnsafeBytes { bytes in
      var (first, second, third) = (Lanes(), Lanes(), Lanes())
      guard var next = bytes.baseAddress else { return (first, second, third) }
      for _ in 0..<steps {
        let lanes = unsafe next.loadUnaligned(as: (Lanes, Lanes, Lanes).self)
        first.replace(with: first &+ one, where: lanes.0 .== wanted)
        second.replace(with: second &+ one, where: lanes.1 .== wanted)
        third.replace(with: third &+ one, where: lanes.2 .== wanted)
        unsafe next += Self.vectors * MemoryLayout<Lanes>.size
      }
      return (first, second, third)
    }
  }
}
