/// Shrinks one channel by averaging: each target sample is the mean of the source area it covers,
/// with samples at the area's edges counted by the part that lies inside.
///
/// All in integers, exact before the one rounding: along a row a source sample has `target.width`
/// parts and a target sample takes `source.width` of them; along a column likewise. Averages are of
/// coded (gamma) values, as viewers scale: a thumbnail in linear light would need 16-bit tables for a
/// difference that shows only in fine high-contrast detail.
///
/// Rows are the strides apart. Sizes are at least 1x1 and sides at most 2^16; the target is no larger
/// than the source.
@unsafe
package func reduceByBox(
  source: UnsafePointer<UInt8>,
  sourceStride: Int,
  sourceSize: (width: Int, height: Int),
  target: UnsafeMutablePointer<UInt8>,
  targetStride: Int,
  targetSize: (width: Int, height: Int)
) {
  precondition(targetSize.width > 0 && targetSize.width <= sourceSize.width)
  precondition(targetSize.height > 0 && targetSize.height <= sourceSize.height)
  precondition(sourceSize.width <= 1 << 16 && sourceSize.height <= 1 << 16)
  let area = sourceSize.width * sourceSize.height
  var rowSums = [Int](repeating: 0, count: targetSize.width)
  // The row that is being filled; a source row on the border of two has parts in both.
  var sums = [Int](repeating: 0, count: targetSize.width)
  var targetY = 0
  var missing = sourceSize.height
  for y in 0..<sourceSize.height {
    unsafe sumRow(
      source + y * sourceStride,
      width: sourceSize.width,
      into: &rowSums
    )
    var parts = targetSize.height
    while parts > 0 {
      let taken = min(parts, missing)
      for x in sums.indices { sums[x] &+= rowSums[x] &* taken }
      parts -= taken
      missing -= taken
      if missing == 0 {
        let row = unsafe target + targetY * targetStride
        for x in sums.indices {
          unsafe row[x] = UInt8(truncatingIfNeeded: (sums[x] + area / 2) / area)
          sums[x] = 0
        }
        targetY += 1
        missing = sourceSize.height
      }
    }
  }
}

/// The weighted sum of one row's samples for each target column, weights in 1/`sums.count` samples.
@unsafe
private func sumRow(_ row: UnsafePointer<UInt8>, width: Int, into sums: inout [Int]) {
  let parts = sums.count
  var x = 0
  // Parts of sample x that earlier targets took.
  var used = 0
  for index in sums.indices {
    var missing = width
    var sum = 0
    if used > 0 {
      // parts - used < parts <= width, so that this target always takes the whole rest.
      let rest = parts - used
      sum = unsafe Int(row[x]) * rest
      missing -= rest
      x += 1
      used = 0
    }
    let (whole, part) = missing.quotientAndRemainder(dividingBy: parts)
    var plain: UInt32 = 0
    for offset in 0..<whole { unsafe plain &+= UInt32(row[x &+ offset]) }
    sum += Int(plain) * parts
    x += whole
    if part > 0 {
      sum += unsafe Int(row[x]) * part
      used = part
    }
    sums[index] = sum
  }
}
