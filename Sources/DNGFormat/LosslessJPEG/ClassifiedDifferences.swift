/// The differences of a tile as their codes need them: category by category.
struct ClassifiedDifferences {
  /// Differences whose lowest bits are the extra bits: negative ones less one (T.81 H.1.2.2).
  private(set) var lowered: [Int16] = []
  /// The number of bits of each magnitude (SSSS), 0 to 16.
  private(set) var categories: [UInt8] = []

  /// Room for as many differences; what stood there stays or is lost.
  mutating func reserve(_ count: Int) {
    guard lowered.count < count else { return }
    lowered = [Int16](repeating: 0, count: count)
    categories = [UInt8](repeating: 0, count: count)
  }

  /// Stores differences from `start` on and counts their categories.
  mutating func store(_ differences: Span<Int16>, at start: Int, counts: inout CategoryCounts) {
    var done = 0
    while done < differences.count {
      let count = min(differences.count - done, counts.room)
      let part = differences.extracting(done..<done + count)
      precondition(start + done + count <= lowered.count, "room for the differences")
      // All four have room for as many.
      unsafe counts.add(count: count) { wide in
        unsafe part.withUnsafeBufferPointer { source in
          unsafe lowered.withUnsafeMutableBufferPointer { lowered in
            unsafe categories.withUnsafeMutableBufferPointer { categories in
              guard let source = source.baseAddress, let lowered = lowered.baseAddress,
                let categories = categories.baseAddress
              else { return 0 }
              return unsafe classify(
                source,
                count: count,
                lowered + start + done,
                categories + start + done,
                wide
              )
            }
          }
        }
      }
      done += count
    }
  }
}

/// Finds the categories of differences.
///
/// - Returns: The bits that any magnitude has.
@unsafe
private func classify(
  _ differences: UnsafePointer<Int16>,
  count: Int,
  _ lowered: UnsafeMutablePointer<Int16>,
  _ categories: UnsafeMutablePointer<UInt8>,
  _ wideCategories: UnsafeMutablePointer<UInt16>
) -> UInt16 {
  var bits: UInt16 = 0
  for index in 0..<count {
    let difference = unsafe differences[index]
    let sign = difference &>> 15
    let low = difference &+ sign
    let magnitude = UInt16(bitPattern: low ^ sign)
    bits |= magnitude
    // The exponent of 2m + 1 is the number of bits of m, and vectors have one; it is exact below 2^24.
    let exponent = Float(Int32(magnitude) &* 2 &+ 1).bitPattern &>> 23
    let category = UInt16(truncatingIfNeeded: exponent &- 127)
    unsafe lowered[index] = low
    unsafe categories[index] = UInt8(truncatingIfNeeded: category)
    unsafe wideCategories[index] = category
  }
  return bits
}
