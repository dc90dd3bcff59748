internal import Raster
internal import RawModel
internal import TIFFContainer

/// What is done to a raw's samples before they are coded.
struct RecodingPlan {
  /// Of the samples as they will be stored.
  private(set) var description: RawDescription
  /// Nil where samples keep their codes.
  private(set) var recoding: SampleRecoding?
  /// Tags of the source that are wrong then.
  private(set) var dropped: Set<TIFFTag> = []
  let levels: CodeRange
  let noise: NoiseModel

  init(
    _ samples: borrowing Plane<UInt16>,
    _ source: RawDescription,
    settings: DNGOutputSettings
  ) {
    description = source
    noise = NoiseModel(source)
    let undoesTable = settings.curve == .linear && source.linearizationTable != nil
    guard case .integer(let bits) = settings.bitDepth, bits != source.bitsPerSample || undoesTable
    else {
      levels = CodeRange(source, highest: 0)
      return
    }
    let highest = Int(highestSample(of: samples))
    let linearCodes = SampleRecoding.linearCodes(source.linearizationTable)
    // Tables ascend: the highest code is the most light.
    levels = CodeRange(source, highest: Int(linearCodes[highest]))
    description.bitsPerSample = bits
    let needed =
      source.linearizationTable.map { max(highest, $0.count - 1) } ?? max(highest, levels.top)
    if needed < 1 << bits, !undoesTable { return }
    let table =
      switch settings.curve {
      case .linear: CompandingTable(linearFor: noise, levels: levels, bits: bits)
      case .source, .squareRoot:
        CompandingTable(squareRootFor: noise, levels: levels, bits: bits)
      }
    recoding = SampleRecoding(
      source: source.linearizationTable,
      table: table,
      isDithered: bits == 8
    )
    description.linearizationTable = table.decoded
    dropped = [.linearizationTable, .imageStats]
  }
}

/// The largest sample of a frame.
private func highestSample(of samples: borrowing Plane<UInt16>) -> UInt16 {
  var highest: UInt16 = 0
  for y in 0..<samples.height {
    samples.withRow(y) { row in highest = max(highest, highestSample(of: row)) }
  }
  return highest
}

private func highestSample(of row: Span<UInt16>) -> UInt16 {
  var highest: UInt16 = 0
  for index in row.indices { highest = max(highest, row[index]) }
  return highest
}
