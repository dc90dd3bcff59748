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
    targets = zip(streams, regions).map { stream, region in
      unsafe stream.buffers.reserveSamples(width)
      return unsafe Target(
        region: region,
        samplesPerPixel: samplesPerPixel,
        width: width,
        scratch: stream.buffers.samples
      )
    }
  }

  /// Decodes the tiles; false where any of them is damaged.
  func decode(into writer: TileWriter<UInt16>) -> Bool {
    switch streams[0].header.shape.components {
    case 1: decode(SamplePair.self, samples: 2, into: writer)
    case 2: decode(TwoComponents.self, samples: 2, into: writer)
    default: decode(ThreeComponents.self, samples: 3, into: writer)
    }
  }

  private func decode<Step: LosslessJPEGStep>(
    _ step: Step.Type,
    samples: Int,
    into writer: TileWriter<UInt16>
  ) -> Bool {
    let shape = streams[0].header.shape
    var lines = streams.map(LosslessJPEGLine.init)
    let (steps, rest) = shape.samplesPerRow.quotientAndRemainder(dividingBy: samples)
    let stepsPerCheck = LosslessJPEGBuffers.differencesPerCheck / samples - 1
    for row in 0..<shape.rows {
      for index in lines.indices {
        unsafe lines[index].output = targets[index].line(row, writer)
      }
      let starts = unsafe lines.map(\.output)
      var done = 0
      while done < steps {
        let count = min(steps - done, stepsPerCheck)
        Self.run(step, &lines, count: count)
        done += count
        guard isWithinScan(lines) else { return false }
      }
      if rest > 0 {
        for index in lines.indices { SingleSample.decode(&lines[index]) }
        // Lines of one sample take no steps, after which the position was checked.
        guard isWithinScan(lines) else { return false }
      }
      for index in lines.indices {
        guard unsafe finish(&lines[index], index, row: row, start: starts[index], into: writer)
        else { return false }
      }
    }
    return zip(lines, streams).allSatisfy { line, stream in stream.isComplete(line.reader) }
  }

  /// Ends a line: checks it, hands it over and predicts the next one's first samples from it.
  @unsafe
  private func finish(
    _ line: inout LosslessJPEGLine,
    _ index: Int,
    row: Int,
    start: UnsafeMutablePointer<UInt16>,
    into writer: TileWriter<UInt16>
  ) -> Bool {
    let shape = streams[index].header.shape
    let width = shape.samplesPerRow
    guard line.invalid >> 16 == 0 else { return false }
    if shape.precision < 16 {
      var bits: UInt16 = 0
      for position in 0..<width { bits |= unsafe start[position] }
      guard bits >> UInt16(shape.precision) == 0 else { return false }
    }
    unsafe targets[index].take(row, start, writer)
    line.left.0 = unsafe UInt32(start[0])
    if shape.components > 1 { line.left.1 = unsafe UInt32(start[1]) }
    if shape.components > 2 { line.left.2 = unsafe UInt32(start[2]) }
    return true
  }

  private func isWithinScan(_ lines: [LosslessJPEGLine]) -> Bool {
    zip(lines, streams).allSatisfy { line, stream in stream.isWithinScan(line.reader) }
  }

  /// Decodes `count` steps of each line.
  private static func run<Step: LosslessJPEGStep>(
    _ step: Step.Type,
    _ lines: inout [LosslessJPEGLine],
    count: Int
  ) {
    switch lines.count {
    case 1:
      var first = lines[0]
      for _ in 0..<count { Step.decode(&first) }
      lines[0] = first
    case 2:
      var (first, second) = (lines[0], lines[1])
      for _ in 0..<count {
        Step.decode(&first)
        Step.decode(&second)
      }
      (lines[0], lines[1]) = (first, second)
    default:
      var (first, second, third) = (lines[0], lines[1], lines[2])
      for _ in 0..<count {
        Step.decode(&first)
        Step.decode(&second)
        Step.decode(&third)
      }
      (lines[0], lines[1], lines[2]) = (first, second, third)
    }
  }
}
