/// One tile's line while it is decoded with predictor 1: what stays in registers.
@safe
struct LosslessJPEGLine {
  var reader: EntropyBitReader
  /// The table of each component; the first one's again where there are fewer than three.
  let tables:
    (
      UnsafePointer<HuffmanDecodingTable>, UnsafePointer<HuffmanDecodingTable>,
      UnsafePointer<HuffmanDecodingTable>
    )
  let lookups: (UnsafePointer<UInt32>, UnsafePointer<UInt32>, UnsafePointer<UInt32>)
  /// Where the next sample goes; as many as the line has can be written.
  var output: UnsafeMutablePointer<UInt16>
  /// The sample of each component to the left; the one above at the start of a line.
  var left: (UInt32, UInt32, UInt32)
  /// A bit above the 16th is set once bits were no code.
  var invalid: UInt32 = 0

  /// At the start of the tile's first line.
  init(_ stream: LosslessJPEGStream) {
    let components = stream.header.shape.components
    let half = UInt32(1) << UInt32(stream.header.shape.precision - 1)
    reader = stream.reader
    // A stream has a table for each of its components.
    unsafe tables = (
      stream.table(0), stream.table(components > 1 ? 1 : 0), stream.table(components > 2 ? 2 : 0)
    )
    unsafe lookups = (
      UnsafePointer(tables.0.pointee.lookup), UnsafePointer(tables.1.pointee.lookup),
      UnsafePointer(tables.2.pointee.lookup)
    )
    unsafe output = stream.buffers.samples
    left = (half, half, half)
  }
}

/// A run of samples that is decoded before the next tile has its turn.
///
/// Two differences are taken from one look at the bits: together they have no more than the 57 that
/// are there (`HuffmanDecodingTable.longestFastTotal`).
protocol LosslessJPEGStep {
  static func decode(_ line: inout LosslessJPEGLine)
}

/// One sample of one component.
enum SingleSample: LosslessJPEGStep {
  @inline(__always)
  static func decode(_ line: inout LosslessJPEGLine) {
    // The reader stays within the zeros behind the scan, see `LosslessJPEGBuffers.padding`.
    var bits = unsafe line.reader.ahead()
    unsafe line.left.0 &+= line.reader.difference(
      &bits,
      line.lookups.0,
      line.tables.0,
      invalid: &line.invalid
    )
    unsafe line.output[0] = UInt16(truncatingIfNeeded: line.left.0)
    unsafe line.output += 1
  }
}

/// Two samples of one component.
enum SamplePair: LosslessJPEGStep {
  @inline(__always)
  static func decode(_ line: inout LosslessJPEGLine) {
    var bits = unsafe line.reader.ahead()
    unsafe line.left.0 &+= line.reader.difference(
      &bits,
      line.lookups.0,
      line.tables.0,
      invalid: &line.invalid
    )
    unsafe line.output[0] = UInt16(truncatingIfNeeded: line.left.0)
    unsafe line.left.0 &+= line.reader.difference(
      &bits,
      line.lookups.0,
      line.tables.0,
      invalid: &line.invalid
    )
    unsafe line.output[1] = UInt16(truncatingIfNeeded: line.left.0)
    unsafe line.output += 2
  }
}

/// A pixel of two components.
enum TwoComponents: LosslessJPEGStep {
  @inline(__always)
  static func decode(_ line: inout LosslessJPEGLine) {
    var bits = unsafe line.reader.ahead()
    unsafe line.left.0 &+= line.reader.difference(
      &bits,
      line.lookups.0,
      line.tables.0,
      invalid: &line.invalid
    )
    unsafe line.output[0] = UInt16(truncatingIfNeeded: line.left.0)
    unsafe line.left.1 &+= line.reader.difference(
      &bits,
      line.lookups.1,
      line.tables.1,
      invalid: &line.invalid
    )
    unsafe line.output[1] = UInt16(truncatingIfNeeded: line.left.1)
    unsafe line.output += 2
  }
}

/// A pixel of three components.
enum ThreeComponents: LosslessJPEGStep {
  @inline(__always)
  static func decode(_ line: inout LosslessJPEGLine) {
    var bits = unsafe line.reader.ahead()
    unsafe line.left.0 &+= line.reader.difference(
      &bits,
      line.lookups.0,
      line.tables.0,
      invalid: &line.invalid
    )
    unsafe line.output[0] = UInt16(truncatingIfNeeded: line.left.0)
    unsafe line.left.1 &+= line.reader.difference(
      &bits,
      line.lookups.1,
      line.tables.1,
      invalid: &line.invalid
    )
    unsafe line.output[1] = UInt16(truncatingIfNeeded: line.left.1)
    bits = unsafe line.reader.ahead()
    unsafe line.left.2 &+= line.reader.difference(
      &bits,
      line.lookups.2,
      line.tables.2,
      invalid: &line.invalid
    )
    unsafe line.output[2] = UInt16(truncatingIfNeeded: line.left.2)
    unsafe line.output += 3
  }
}
