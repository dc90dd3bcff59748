extension LosslessJPEGEncoder {
  /// How often each category occurs in each component.
  func countCategories(shape: LosslessJPEGShape) -> [[17 of UInt32]] {
    let differences = self.differences.span.extracting(0..<shape.sampleCount)
    return CategoryCounts(differences, components: shape.components).counts
  }

  /// Writes the codes of all differences into `scan`, filled up with ones to a byte.
  ///
  /// - Returns: The bytes used.
  mutating func emitScan(shape: LosslessJPEGShape, codes: [OptimalHuffmanCode]) -> Int {
    // Four bytes hold the longest code and its extra bits.
    let bound = 4 * shape.sampleCount + EntropyBitWriter.overhang
    if scan.count < bound {
      scan = [UInt8](repeating: 0, count: bound)
    }
    let differences = differences
    return emit(
      differences.span.extracting(0..<shape.sampleCount),
      shape: shape,
      CategoryCodes(codes),
      into: &scan
    )
  }
}

private func emit(
  _ differences: Span<Int16>,
  shape: LosslessJPEGShape,
  _ codes: CategoryCodes,
  into scan: inout [UInt8]
) -> Int {
  unsafe codes.numbers.withUnsafeBufferPointer { tables in
    unsafe scan.withUnsafeMutableBufferPointer { scan in
      guard let tables = tables.baseAddress, let start = scan.baseAddress else { return 0 }
      let writer = unsafe EntropyBitWriter(start, tables: tables)
      let end =
        if codes.longest > EntropyBitWriter.pairLimit {
          unsafe emitSingly(differences, components: shape.components, writer)
        } else {
          switch shape.components {
          case 1: unsafe emitPairs(differences, writer)
          case 2: unsafe emitTwo(differences, writer)
          case 3: unsafe emitThree(differences, writer)
          default: unsafe emitSingly(differences, components: shape.components, writer)
          }
        }
      return unsafe end - start
    }
  }
}

private func emitPairs(_ differences: Span<Int16>, _ start: EntropyBitWriter)
  -> UnsafeMutablePointer<UInt8>
{
  var writer = start
  var index = 0
  while index &+ 1 < differences.count {
    writer.append(differences[index], component: 0, differences[index &+ 1], component: 0)
    index &+= 2
  }
  if index < differences.count { writer.append(differences[index], component: 0) }
  return unsafe writer.finish()
}

private func emitTwo(_ differences: Span<Int16>, _ start: EntropyBitWriter) -> UnsafeMutablePointer<
  UInt8
> {
  var writer = start
  var index = 0
  while index &+ 1 < differences.count {
    writer.append(differences[index], component: 0, differences[index &+ 1], component: 1)
    index &+= 2
  }
  return unsafe writer.finish()
}

private func emitThree(_ differences: Span<Int16>, _ start: EntropyBitWriter)
  -> UnsafeMutablePointer<UInt8>
{
  var writer = start
  var index = 0
  while index &+ 2 < differences.count {
    writer.append(differences[index], component: 0, differences[index &+ 1], component: 1)
    writer.append(differences[index &+ 2], component: 2)
    index &+= 3
  }
  return unsafe writer.finish()
}

/// One symbol for each store; the components' tables take turns.
private func emitSingly(_ differences: Span<Int16>, components: Int, _ start: EntropyBitWriter)
  -> UnsafeMutablePointer<UInt8>
{
  var writer = start
  var index = 0
  while index < differences.count {
    for component in 0..<components {
      writer.append(differences[index &+ component], component: component)
    }
    index &+= components
  }
  return unsafe writer.finish()
}
