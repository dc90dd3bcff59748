/// One tile's line while it is decoded with predictor 1.
@safe
struct LosslessJPEGLine {
  /// Where the tile's scan stands, see `EntropyWindow`.
  var position: UInt
  /// Where the scan starts and ends.
  private let start: UInt
  private let end: UInt
  /// The line's samples: as many as it has can be written.
  var output: UnsafeMutablePointer<UInt16>
  /// The first pixel of the line above, by which that of this line is predicted (T.81 H.1.2.1).
  var above: UnsafePointer<UInt16>

  /// At the start of the tile's first line.
  ///
  /// - Parameters:
  ///   - stream: The tile's.
  ///   - half: What the first pixel of all is predicted as, for each component.
  ///   - output: Somewhere.
  @unsafe
  init(
    _ stream: LosslessJPEGStream,
    half: UnsafePointer<UInt16>,
    output: UnsafeMutablePointer<UInt16>
  ) {
    position = unsafe EntropyWindow.position(stream.reader, stream.buffers.scans)
    start = position
    end = position + UInt(stream.bitCount)
    unsafe self.output = output
    unsafe above = half
  }

  /// Whether no more bits were taken than the scan has.
  var isWithinScan: Bool { position <= end }

  /// Bits of the scan that were taken.
  var bitsTaken: Int { Int(position - start) }
}
