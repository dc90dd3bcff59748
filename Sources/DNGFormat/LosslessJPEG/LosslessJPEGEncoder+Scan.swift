extension LosslessJPEGEncoder {
  /// How often each category occurs in each component.
  func countCategories(shape: LosslessJPEGShape) -> [[17 of UInt32]] {
    let differences = self.differences.span.extracting(0..<shape.sampleCount)
    return (0..<shape.components).map {
      categoryCounts(of: differences, first: $0, distance: shape.components)
    }
  }

  /// Writes the codes of all differences into `scan`, filled up with ones to a byte.
  ///
  /// - Returns: The bytes used.
  mutating func emitScan(shape: LosslessJPEGShape, codes: [OptimalHuffmanCode]) -> Int {
    // Four bytes hold the longest code and its extra bits; the stores are eight bytes wide.
    let bound = 4 * shape.sampleCount + 8
    if scan.count < bound {
      scan = [UInt8](repeating: 0, count: bound)
    }
    return emit(differences, shape: shape, tables: CategoryCodes(codes), into: &scan)
  }
}

private func emit(
  _ differences: [Int16],
  shape: LosslessJPEGShape,
  tables: CategoryCodes,
  into scan: inout [UInt8]
) -> Int {
  let differences = differences.span.extracting(0..<shape.sampleCount)
  let codes = tables.codes
  var span = scan.mutableSpan
  // Any bits are a valid UInt8, so raw stores leave valid elements.
  var bytes = unsafe span.mutableBytes
  if shape.components <= 2, shape.sampleCount % 2 == 0,
    tables.longest <= BitAccumulator.pairLimit
  {
    return emitPairs(
      differences,
      codes.span,
      oddBase: (shape.components - 1) * CategoryCodes.stride,
      into: &bytes
    )
  }
  return emitGroups(differences, codes.span, components: shape.components, into: &bytes)
}

/// Two symbols for each store, of one component or of two that alternate.
private func emitPairs(
  _ differences: Span<Int16>,
  _ codes: Span<CategoryCodes.Code>,
  oddBase: Int,
  into bytes: inout MutableRawSpan
) -> Int {
  var bits = BitAccumulator()
  var index = 0
  while index < differences.count {
    bits.append(differences[index], codes, base: 0)
    bits.append(differences[index &+ 1], codes, base: oddBase)
    bits.store(into: &bytes)
    index &+= 2
  }
  return bits.finish(in: &bytes)
}

/// One symbol for each store; the components' tables take turns.
private func emitGroups(
  _ differences: Span<Int16>,
  _ codes: Span<CategoryCodes.Code>,
  components: Int,
  into bytes: inout MutableRawSpan
) -> Int {
  var bits = BitAccumulator()
  var index = 0
  while index < differences.count {
    for component in 0..<components {
      bits.append(
        differences[index &+ component],
        codes,
        base: component &* CategoryCodes.stride
      )
      bits.store(into: &bytes)
    }
    index &+= components
  }
  return bits.finish(in: &bytes)
}

/// The occurrences of each category among every `distance`th difference.
///
/// Neighbours are mostly of the same category: four counters in turn keep an increment from waiting
/// for the one before it.
private func categoryCounts(
  of differences: Span<Int16>,
  first: Int,
  distance: Int
) -> [17 of UInt32] {
  var counts0: [17 of UInt32] = .init(repeating: 0)
  var counts1 = counts0
  var counts2 = counts0
  var counts3 = counts0
  var index = first
  while index + 3 * distance < differences.count {
    counts0[differenceCategory(differences[index])] &+= 1
    counts1[differenceCategory(differences[index + distance])] &+= 1
    counts2[differenceCategory(differences[index + 2 * distance])] &+= 1
    counts3[differenceCategory(differences[index + 3 * distance])] &+= 1
    index += 4 * distance
  }
  while index < differences.count {
    counts0[differenceCategory(differences[index])] &+= 1
    index += distance
  }
  for category in 0..<17 {
    counts0[category] &+= counts1[category] &+ counts2[category] &+ counts3[category]
  }
  return counts0
}
