/// The tables of the tiles that take turns, and where bits that are no code are noted.
@safe
struct LosslessJPEGSources {
  private let tables: UnsafePointer<UInt32>
  /// A bit above the 16th is set once bits were no code.
  private let invalid: UnsafeMutablePointer<UInt32>

  /// `invalid` lives as long as the sources are used.
  @unsafe
  init(_ buffers: LosslessJPEGBuffers, invalid: UnsafeMutablePointer<UInt32>) {
    unsafe tables = UnsafePointer(buffers.tables)
    unsafe self.invalid = invalid
  }

  var hasSeenInvalidCode: Bool { unsafe invalid.pointee >> 16 != 0 }

  /// The bits ahead of a line.
  ///
  /// A line's position stays within the zeros behind its scan, see `LosslessJPEGBuffers.padding`.
  @inline(__always)
  func window(_ line: LosslessJPEGLine) -> EntropyWindow {
    unsafe EntropyWindow(position: line.position)
  }

  /// The next two samples of a line.
  ///
  /// - Parameters:
  ///   - components: Those of the scan.
  ///   - window: The bits ahead.
  ///   - output: Where they go; the samples of the pixel before stand in front of them.
  ///   - slot: The tile's.
  ///   - pair: Which of the pairs it is after which the components start anew.
  @unsafe @inline(__always)
  func pair<Components: LosslessJPEGComponents>(
    _ components: Components.Type,
    _ window: inout EntropyWindow,
    _ output: UnsafeMutablePointer<UInt16>,
    slot: Int,
    pair: Int
  ) {
    let first = 2 &* pair
    unsafe window.takePair(
      tables,
      LosslessJPEGBuffers.table(slot: slot, component: first % Components.count),
      LosslessJPEGBuffers.table(slot: slot, component: (first &+ 1) % Components.count),
      output + first,
      distance: Components.count,
      invalid: invalid
    )
  }

  /// The first pixel of a line.
  func start(_ line: inout LosslessJPEGLine, slot: Int, components: Int) {
    // A line has a sample of each component at least, and so has the line above.
    for component in 0..<components {
      let prediction = unsafe line.above[component]
      unsafe one(&line, line.output + component, slot: slot, component, prediction: prediction)
    }
    unsafe line.above = UnsafePointer(line.output)
  }

  /// The samples of a line from `index` on, up to the end of the line.
  func rest(_ line: inout LosslessJPEGLine, slot: Int, _ range: Range<Int>, components: Int) {
    for index in range {
      // Samples of a line that are not of its first pixel.
      let output = unsafe line.output + index
      let prediction = unsafe output[0 - components]
      unsafe one(&line, output, slot: slot, index % components, prediction: prediction)
    }
  }

  @unsafe
  private func one(
    _ line: inout LosslessJPEGLine,
    _ output: UnsafeMutablePointer<UInt16>,
    slot: Int,
    _ component: Int,
    prediction: UInt16
  ) {
    let (difference, position) = unsafe EntropyWindow.takeOne(
      line.position,
      tables,
      LosslessJPEGBuffers.table(slot: slot, component: component),
      invalid: invalid
    )
    unsafe output.pointee = prediction &+ difference
    line.position = position
  }
}
