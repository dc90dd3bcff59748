internal import Glibc
internal import Raster

/// Up to three tiles with predictor 1 that one lane decodes in turn, a pixel of each at a time.
///
/// A difference waits for the one before it in its own tile; the processor works on the other tiles
/// in the meantime. Two tiles in turn are 1.3 times as fast as one after the other, three 1.5 times.
/// The samples are those of `LosslessJPEGStream.decodeFrame`, the checks too; what is wrong with which
/// tile is left to that function.
struct LosslessJPEGTurns {
  /// Where the lines of a tile go: straight into the picture, or first into the buffers where the
  /// picture ends within the tile.
  @safe
  private struct Target {
    let region: Region
    /// Samples of a pixel of the picture.
    let samplesPerPixel: Int
    /// Samples of a coded line.
    let width: Int
    let scratch: UnsafeMutablePointer<UInt16>

    private var visible: Int { region.width * samplesPerPixel }

    /// Room for the samples of a coded line.
    @unsafe
    func line(_ row: Int, _ writer: TileWriter<UInt16>) -> UnsafeMutablePointer<UInt16> {
      guard row < region.height, visible == width else { return unsafe scratch }
      return unsafe writer.pointer(x: region.left * samplesPerPixel, y: region.top + row)
    }

    /// Takes a decoded line over into the picture.
    @unsafe
    func take(_ row: Int, _ line: UnsafePointer<UInt16>, _ writer: TileWriter<UInt16>) {
      guard row < region.height, visible < width else { return }
      let target = unsafe writer.pointer(x: region.left * samplesPerPixel, y: region.top + row)
      unsafe memcpy(target, line, visible * MemoryLayout<UInt16>.stride)
    }
  }

  private let streams: [LosslessJPEGStream]
  private let targets: [Target]

  /// Nil where the tiles can't take turns: other predictors, restart intervals, different shapes, or
  /// frames whose lines are not the tile's.
  init?(
    _ streams: [LosslessJPEGStream],
    regions: [Region],
    codedSize: PixelSize,
    samplesPerPixel: Int
  ) {
    guard let first = streams.first?.header.shape else { return nil }
    let width = codedSize.width * samplesPerPixel
    guard
      first.samplesPerRow == width, first.rows == codedSize.height, first.components <= 3,
      streams.allSatisfy({
        $0.header.shape == first && $0.header.predictor == .left && $0.header.restartRows == 0
      })
    else { return nil }
    self.streams = streams
    let buffers = streams[0].buffers
    buffers.reserveSamples(streams.count * width)
    targets = zip(streams, regions).map { stream, region in
      // A line for each of the slots.
      unsafe Target(
        region: region,
        samplesPerPixel: samplesPerPixel,
        width: width,
        scratch: buffers.samples + stream.slot * width
      )
    }
  }

  /// Decodes the tiles; false where any of them is damaged.
  func decode(into writer: TileWriter<UInt16>) -> Bool {
    switch streams[0].header.shape.components {
    case 1: decode(SamplePair.self, into: writer)
    case 2: decode(TwoComponents.self, into: writer)
    default: decode(ThreeComponents.self, into: writer)
    }
  }

  private func decode<Step: LosslessJPEGStep>(
    _ step: Step.Type,
    into writer: TileWriter<UInt16>
  ) -> Bool {
    let shape = streams[0].header.shape
    let sources = LosslessJPEGSources(streams[0].buffers)
    var lines = streams.map(LosslessJPEGLine.init)
    let (steps, rest) = (shape.samplesPerRow - Step.components)
      .quotientAndRemainder(dividingBy: Step.samples)
    let stepsPerCheck = LosslessJPEGBuffers.differencesPerCheck / Step.samples - 2
    for row in 0..<shape.rows {
      for slot in lines.indices {
        unsafe lines[slot].output = targets[slot].line(row, writer)
        sources.start(&lines[slot], slot: slot, components: Step.components)
      }
      var done = 0
      repeat {
        let end = min(steps, done + stepsPerCheck)
        Self.run(step, &lines, done..<end, sources)
        done = end
        guard isWithinScan(lines) else { return false }
      } while done < steps
      for slot in lines.indices {
        if rest > 0 { sources.last(&lines[slot], slot: slot, shape.samplesPerRow - 1) }
        guard finish(&lines[slot], slot, row: row, into: writer) else { return false }
      }
    }
    return zip(lines, streams).allSatisfy { line, stream in stream.isComplete(line.reader) }
  }

  /// Ends a line: checks it, hands it over and predicts the next one's first samples from it.
  private func finish(
    _ line: inout LosslessJPEGLine,
    _ index: Int,
    row: Int,
    into writer: TileWriter<UInt16>
  ) -> Bool {
    let shape = streams[index].header.shape
    guard line.invalid >> 16 == 0 else { return false }
    if shape.precision < 16 {
      var bits: UInt16 = 0
      let output = unsafe line.output
      for position in 0..<shape.samplesPerRow { bits |= unsafe output[position] }
      guard bits >> UInt16(shape.precision) == 0 else { return false }
    }
    unsafe targets[index].take(row, line.output, writer)
    line.end(components: shape.components)
    return true
  }

  private func isWithinScan(_ lines: [LosslessJPEGLine]) -> Bool {
    for index in lines.indices where !streams[index].isWithinScan(lines[index].reader) {
      return false
    }
    return true
  }

  /// Decodes these steps of each line.
  private static func run<Step: LosslessJPEGStep>(
    _ step: Step.Type,
    _ lines: inout [LosslessJPEGLine],
    _ steps: Range<Int>,
    _ sources: LosslessJPEGSources
  ) {
    let start = Step.components + steps.lowerBound * Step.samples
    let end = Step.components + steps.upperBound * Step.samples
    var index = start
    switch lines.count {
    case 1:
      var line0 = lines[0]
      while index < end {
        Step.decode(&line0, slot: 0, index, sources)
        index &+= Step.samples
      }
      lines[0] = line0
    case 2:
      var (line0, line1) = (lines[0], lines[1])
      while index < end {
        Step.decode(&line0, slot: 0, index, sources)
        Step.decode(&line1, slot: 1, index, sources)
        index &+= Step.samples
      }
      (lines[0], lines[1]) = (line0, line1)
    default:
      var (line0, line1, line2) = (lines[0], lines[1], lines[2])
      while index < end {
        Step.decode(&line0, slot: 0, index, sources)
        Step.decode(&line1, slot: 1, index, sources)
        Step.decode(&line2, slot: 2, index, sources)
        index &+= Step.samples
      }
      (lines[0], lines[1], lines[2]) = (line0, line1, line2)
    }
  }
}
