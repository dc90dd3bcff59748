extension LosslessJPEGEncoder {
  /// Writes the codes of all differences into `scan`, filled up with ones to a byte.
  ///
  /// - Returns: The bytes used.
  mutating func emitScan(shape: LosslessJPEGShape, codes: [OptimalHuffmanCode]) -> Int {
    // Four bytes hold the longest code and its extra bits.
    let bound = 4 * shape.sampleCount + EntropyBitWriter.overhang
    if scan.count < bound {
      scan = [UInt8](repeating: 0, count: bound)
    }
    let codes = CategoryCodes(codes)
    let differences = differences
    precondition(differences.lowered.count >= shape.sampleCount, "a difference for each place")
    // The writer stays within the bound, and reads the differences that are there and the tables of
    // the components.
    return unsafe differences.lowered.withUnsafeBufferPointer { lowered in
      unsafe differences.categories.withUnsafeBufferPointer { categories in
        unsafe codes.numbers.withUnsafeBufferPointer { tables in
          unsafe scan.withUnsafeMutableBufferPointer { scan in
            guard let lowered = lowered.baseAddress, let categories = categories.baseAddress,
              let tables = tables.baseAddress, let start = scan.baseAddress
            else { return 0 }
            let writer = unsafe EntropyBitWriter(
              start,
              lowered: lowered,
              categories: categories,
              tables: tables
            )
            let end = unsafe emit(writer, shape, longest: codes.longest)
            return unsafe end - start
          }
        }
      }
    }
  }
}

/// Writes the codes of all differences and returns where they end.
@unsafe
private func emit(
  _ writer: EntropyBitWriter,
  _ shape: LosslessJPEGShape,
  longest: Int
) -> UnsafeMutablePointer<UInt8> {
  let count = shape.sampleCount
  guard longest <= EntropyBitWriter.pairLimit else {
    return unsafe emitSingly(writer, count: count, components: shape.components)
  }
  switch shape.components {
  case 1: return unsafe emitPairs(writer, count: count, second: 0)
  case 2: return unsafe emitPairs(writer, count: count, second: 1)
  case 3: return unsafe emitThree(writer, count: count)
  default: return unsafe emitSingly(writer, count: count, components: shape.components)
  }
}

/// Two symbols for each store, of one component or of two that alternate.
@unsafe @inline(__always)
private func emitPairs(
  _ start: EntropyBitWriter,
  count: Int,
  second: Int
) -> UnsafeMutablePointer<UInt8> {
  var writer = start
  var index = 0
  while index < count &- 1 {
    writer.append(index, components: 0, second)
    index &+= 2
  }
  // An odd number of samples has one component.
  if index < count { writer.append(index, component: 0) }
  return unsafe writer.finish()
}

/// Two symbols of three for one store.
@unsafe
private func emitThree(
  _ start: EntropyBitWriter,
  count: Int
) -> UnsafeMutablePointer<UInt8> {
  var writer = start
  var index = 0
  while index < count {
    writer.append(index, components: 0, 1)
    writer.append(index &+ 2, component: 2)
    index &+= 3
  }
  return unsafe writer.finish()
}

/// One symbol for each store; the components' tables take turns.
@unsafe
private func emitSingly(
  _ start: EntropyBitWriter,
  count: Int,
  components: Int
) -> UnsafeMutablePointer<UInt8> {
  var writer = start
  var index = 0
  while index < count {
    for component in 0..<components { writer.append(index &+ component, component: component) }
    index &+= components
  }
  return unsafe writer.finish()
}
