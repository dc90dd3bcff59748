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
    let isFullScale = settings.compression == .jpegXL && settings.quality < 1
    guard
      let bits = Self.bits(source, settings),
      bits != source.bitsPerSample || undoesTable || isFullScale
    else {
      levels = CodeRange(source, lowest: 0, highest: 0)
      return
    }
    let (lowest, highest) = extremes(of: samples)
    let linearCodes = SampleRecoding.linearCodes(source.linearizationTable)
    // Tables ascend: the highest code is the most light.
    levels = CodeRange(
      source,
      lowest: Int(linearCodes[lowest]),
      highest: Int(linearCodes[highest])
    )
    description.bitsPerSample = bits
    let needed =
      source.linearizationTable.map { max(highest, $0.count - 1) } ?? max(highest, levels.top)
    if needed < 1 << bits, !undoesTable, !isFullScale { return }
    let table =
      switch settings.curve {
      case .source, .squareRoot:
        isFullScale
          ? CompandingTable(fullScaleFor: noise, levels: levels)
          : CompandingTable(squareRootFor: noise, levels: levels, bits: bits)
      case .linear: CompandingTable(linearFor: noise, levels: levels, bits: bits)
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

extension RecodingPlan {
  /// The depth that samples are to have; nil for the source's.
  ///
  /// Lossy codings judge errors by the codes: these must be in proportion to the noise, which those of
  /// linear samples are not. Of JPEG XL they take the full scale of 16 bits, because some readers stretch
  /// fewer bits to it.
  static func bits(_ source: RawDescription, _ settings: DNGOutputSettings) -> Int? {
    switch (settings.bitDepth, settings.compression) {
    case (_, .jpegXL) where settings.quality < 1: 16
    case (.integer(let bits), _): bits
    case (.source, .lossyJPEG): 8
    case (.source, _), (.float16, _), (.float32, _): nil
    }
  }
}

/// The smallest and the largest sample of a frame; zeros of an empty one.
private func extremes(of samples: borrowing Plane<UInt16>) -> (lowest: Int, highest: Int) {
  var lowest = UInt16.max
  var highest: UInt16 = 0
  for y in 0..<samples.height {
    samples.withRow(y) { row in
      for index in row.indices {
        lowest = min(lowest, row[index])
        highest = max(highest, row[index])
      }
    }
  }
  return (Int(min(lowest, highest)), Int(highest))
}
