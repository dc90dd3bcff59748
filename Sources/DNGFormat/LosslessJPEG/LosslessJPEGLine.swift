/// One tile's line while it is decoded with predictor 1: what stays in registers.
@safe
struct LosslessJPEGLine {
  var reader: EntropyBitReader
  /// The line's samples: as many as it has can be written.
  var output: UnsafeMutablePointer<UInt16>
  /// The predictions of the line's first pixel, by component.
  var first: (UInt16, UInt16, UInt16)
  /// A bit above the 16th is set once bits were no code.
  var invalid: UInt32 = 0

  /// At the start of the tile's first line.
  init(_ stream: LosslessJPEGStream) {
    let half = UInt16(1) << UInt16(stream.header.shape.precision - 1)
    reader = stream.reader
    unsafe output = stream.buffers.samples
    first = (half, half, half)
  }

  /// Makes the line the one above: the first pixel of the next is predicted from its own (T.81
  /// H.1.2.1).
  mutating func end(components: Int) {
    unsafe first.0 = output[0]
    if components > 1 { unsafe first.1 = output[1] }
    if components > 2 { unsafe first.2 = output[2] }
  }
}

/// Where the scans and tables of the tiles that take turns stand.
@safe
struct LosslessJPEGSources {
  let scans: UnsafePointer<UInt8>
  let tables: UnsafePointer<UInt32>

  init(_ buffers: LosslessJPEGBuffers) {
    unsafe scans = UnsafePointer(buffers.scans)
    unsafe tables = UnsafePointer(buffers.tables)
  }

  /// The bits ahead of a line.
  ///
  /// The reader stays within the zeros behind its scan, see `LosslessJPEGBuffers.padding`.
  @inline(__always)
  func ahead(_ line: LosslessJPEGLine) -> UInt64 { unsafe line.reader.ahead(scans) }

  /// The next sample of a component.
  ///
  /// Two of them are taken from one look at the bits (`HuffmanDecodingTable.longestFastTotal`).
  @inline(__always)
  func sample(
    _ line: inout LosslessJPEGLine,
    slot: Int,
    component: Int,
    _ bits: inout UInt64,
    prediction: UInt16
  ) -> UInt16 {
    // The table is there: slots and components are those of the streams.
    let difference = unsafe line.reader.difference(
      &bits,
      scans,
      tables,
      table: LosslessJPEGBuffers.table(slot: slot, component: component),
      invalid: &line.invalid
    )
    return prediction &+ UInt16(truncatingIfNeeded: difference)
  }

  /// The first pixel of a line.
  func start(_ line: inout LosslessJPEGLine, slot: Int, components: Int) {
    var bits = ahead(line)
    // A line has a sample of each component at least.
    let output = unsafe line.output
    unsafe output[0] = sample(&line, slot: slot, component: 0, &bits, prediction: line.first.0)
    guard components > 1 else { return }
    unsafe output[1] = sample(&line, slot: slot, component: 1, &bits, prediction: line.first.1)
    guard components > 2 else { return }
    bits = ahead(line)
    unsafe output[2] = sample(&line, slot: slot, component: 2, &bits, prediction: line.first.2)
  }

  /// The last sample of a line of one component with an even number of samples.
  func last(_ line: inout LosslessJPEGLine, slot: Int, _ index: Int) {
    var bits = ahead(line)
    // Two samples at least, of which this is not the first.
    let output = unsafe line.output + index
    unsafe output[0] = sample(&line, slot: slot, component: 0, &bits, prediction: output[-1])
  }
}

/// A run of samples that is decoded before the next tile has its turn.
protocol LosslessJPEGStep {
  /// The samples of a step.
  static var samples: Int { get }
  /// The components: as many samples start a line.
  static var components: Int { get }
  /// The samples of a line from `index` on, which have neighbours to the left.
  static func decode(
    _ line: inout LosslessJPEGLine,
    slot: Int,
    _ index: Int,
    _ sources: LosslessJPEGSources
  )
}

/// Two samples of one component.
enum SamplePair: LosslessJPEGStep {
  static var samples: Int { 2 }
  static var components: Int { 1 }

  @inline(__always)
  static func decode(
    _ line: inout LosslessJPEGLine,
    slot: Int,
    _ index: Int,
    _ sources: LosslessJPEGSources
  ) {
    let output = unsafe line.output + index
    var bits = sources.ahead(line)
    let sample = unsafe sources.sample(
      &line,
      slot: slot,
      component: 0,
      &bits,
      prediction: output[-1]
    )
    unsafe output[0] = sample
    unsafe output[1] = sources.sample(
      &line,
      slot: slot,
      component: 0,
      &bits,
      prediction: sample
    )
  }
}

/// A pixel of two components.
enum TwoComponents: LosslessJPEGStep {
  static var samples: Int { 2 }
  static var components: Int { 2 }

  @inline(__always)
  static func decode(
    _ line: inout LosslessJPEGLine,
    slot: Int,
    _ index: Int,
    _ sources: LosslessJPEGSources
  ) {
    let output = unsafe line.output + index
    var bits = sources.ahead(line)
    for component in 0..<2 {
      unsafe output[component] = sources.sample(
        &line,
        slot: slot,
        component: component,
        &bits,
        prediction: output[component - 2]
      )
    }
  }
}

/// A pixel of three components.
enum ThreeComponents: LosslessJPEGStep {
  static var samples: Int { 3 }
  static var components: Int { 3 }

  @inline(__always)
  static func decode(
    _ line: inout LosslessJPEGLine,
    slot: Int,
    _ index: Int,
    _ sources: LosslessJPEGSources
  ) {
    let output = unsafe line.output + index
    var bits = sources.ahead(line)
    for component in 0..<3 {
      if component == 2 { bits = sources.ahead(line) }
      unsafe output[component] = sources.sample(
        &line,
        slot: slot,
        component: component,
        &bits,
        prediction: output[component - 3]
      )
    }
  }
}
