internal import Glibc
internal import Raster

/// Up to three tiles with predictor 1 that one lane decodes in turn, two samples of each at a time.
///
/// A difference waits for the one before it in its own tile; the processor works on the other tiles
/// in the meantime. Two tiles in turn are 1.5 times as fast as one after the other, three 1.7 times.
/// The samples are those of `LosslessJPEGStream.decodeFrame`, the checks too; what is wrong with which
/// tile is left to that function.
struct LosslessJPEGTurns {
  /// Where the lines of a tile go: straight into the picture, or first into the buffers where the
  /// picture ends within one of the tiles.
  @safe
  private struct Target {
    let region: Region
    /// Samples of a pixel of the picture.
    let samplesPerPixel: Int
    let scratch: UnsafeMutablePointer<UInt16>

    var visible: Int { region.width * samplesPerPixel }

    /// A line of the picture; `row` is one of the region's.
    @unsafe
    func line(_ row: Int, _ writer: TileWriter<UInt16>) -> UnsafeMutablePointer<UInt16> {
      unsafe writer.pointer(x: region.left * samplesPerPixel, y: region.top + row)
    }

    /// Takes a decoded line over into the picture.
    func take(_ row: Int, _ writer: TileWriter<UInt16>) {
      guard row < region.height else { return }
      // The buffer's line is no shorter than what is visible of it.
      unsafe memcpy(line(row, writer), scratch, visible * MemoryLayout<UInt16>.stride)
    }
  }

  private let streams: [LosslessJPEGStream]
  private let targets: [Target]
  /// So many lines of all tiles go straight into the picture, the others first into the buffers. (All
  /// do the same, so that the distances between them stay as they are along a line.)
  private let directRows: Int
  /// What the first pixel of all is predicted as, for each component.
  private let half: [UInt16]

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
        scratch: buffers.samples + stream.slot * width
      )
    }
    let isWhole = targets.allSatisfy { $0.visible == width }
    directRows = isWhole ? regions.map(\.height).min() ?? 0 : 0
    half = [UInt16](repeating: 1 << UInt16(first.precision - 1), count: first.components)
  }

  /// Decodes the tiles; false where any of them is damaged.
  func decode(into writer: TileWriter<UInt16>) -> Bool {
    switch streams[0].header.shape.components {
    case 1: decode(OneComponent.self, into: writer)
    case 2: decode(TwoComponents.self, into: writer)
    default: decode(ThreeComponents.self, into: writer)
    }
  }

  private func decode<Components: LosslessJPEGComponents>(
    _ components: Components.Type,
    into writer: TileWriter<UInt16>
  ) -> Bool {
    var invalid: UInt32 = 0
    // The sources and lines are used within the calls alone.
    return unsafe withUnsafeMutablePointer(to: &invalid) { invalid in
      unsafe half.withUnsafeBufferPointer { half in
        guard let half = half.baseAddress else { return false }
        let lines = streams.indices.map {
          unsafe LosslessJPEGLine(streams[$0], half: half, output: targets[$0].scratch)
        }
        let sources = unsafe LosslessJPEGSources(streams[0].buffers, invalid: invalid)
        return decode(components, lines, sources, into: writer)
      }
    }
  }

  private func decode<Components: LosslessJPEGComponents>(
    _ components: Components.Type,
    _ start: [LosslessJPEGLine],
    _ sources: LosslessJPEGSources,
    into writer: TileWriter<UInt16>
  ) -> Bool {
    var lines = start
    let shape = streams[0].header.shape
    let count = Components.count
    let steps = (shape.samplesPerRow - count) / Components.samples
    let stepsPerCheck = LosslessJPEGBuffers.differencesPerCheck / Components.samples - 4
    for row in 0..<shape.rows {
      for slot in lines.indices {
        let target = targets[slot]
        unsafe lines[slot].output = row < directRows ? target.line(row, writer) : target.scratch
        sources.start(&lines[slot], slot: slot, components: count)
      }
      var done = 0
      repeat {
        let end = min(steps, done + stepsPerCheck)
        let samples = count + done * Components.samples..<count + end * Components.samples
        unsafe Self.run(components, &lines, samples, sources)
        done = end
        guard lines.allSatisfy(\.isWithinScan) else { return false }
      } while done < steps
      let rest = count + steps * Components.samples..<shape.samplesPerRow
      for slot in lines.indices {
        sources.rest(&lines[slot], slot: slot, rest, components: count)
        guard isWithinPrecision(lines[slot]) else { return false }
        if row >= directRows { targets[slot].take(row, writer) }
      }
      guard !sources.hasSeenInvalidCode else { return false }
    }
    return zip(lines, streams).allSatisfy { line, stream in
      stream.isComplete(bitsTaken: line.bitsTaken)
    }
  }

  private func isWithinPrecision(_ line: LosslessJPEGLine) -> Bool {
    let shape = streams[0].header.shape
    guard shape.precision < 16 else { return true }
    var bits: UInt16 = 0
    // The whole line has been decoded.
    let output = unsafe line.output
    for position in 0..<shape.samplesPerRow { bits |= unsafe output[position] }
    return bits >> UInt16(shape.precision) == 0
  }

  /// Decodes these samples of each line, a whole number of `Components.samples`.
  @unsafe
  private static func run<Components: LosslessJPEGComponents>(
    _ components: Components.Type,
    _ lines: inout [LosslessJPEGLine],
    _ samples: Range<Int>,
    _ sources: LosslessJPEGSources
  ) {
    var output = unsafe lines[0].output + samples.lowerBound
    let end = unsafe lines[0].output + samples.upperBound
    var window0 = sources.window(lines[0])
    // One pointer and the distances of the other lines from it: as many registers, but one to count.
    switch lines.count {
    case 1:
      while unsafe output < end {
        unsafe sources.pair(components, &window0, output, slot: 0, pair: 0)
        if Components.pairs == 3 {
          unsafe sources.pair(components, &window0, output, slot: 0, pair: 1)
          unsafe sources.pair(components, &window0, output, slot: 0, pair: 2)
        }
        unsafe output += Components.samples
      }
    case 2:
      let distance1 = unsafe lines[1].output - lines[0].output
      var window1 = sources.window(lines[1])
      while unsafe output < end {
        unsafe turn(components, &window0, &window1, output, distance1, pair: 0, sources)
        if Components.pairs == 3 {
          unsafe turn(components, &window0, &window1, output, distance1, pair: 1, sources)
          unsafe turn(components, &window0, &window1, output, distance1, pair: 2, sources)
        }
        unsafe output += Components.samples
      }
      lines[1].position = window1.position
    default:
      let distances = unsafe (
        lines[1].output - lines[0].output, lines[2].output - lines[0].output
      )
      var window1 = sources.window(lines[1])
      var window2 = sources.window(lines[2])
      while unsafe output < end {
        unsafe turn(components, &window0, &window1, &window2, output, distances, pair: 0, sources)
        if Components.pairs == 3 {
          unsafe turn(components, &window0, &window1, &window2, output, distances, pair: 1, sources)
          unsafe turn(components, &window0, &window1, &window2, output, distances, pair: 2, sources)
        }
        unsafe output += Components.samples
      }
      lines[1].position = window1.position
      lines[2].position = window2.position
    }
    lines[0].position = window0.position
  }

  /// A pair of each of two tiles.
  @unsafe @inline(__always)
  private static func turn<Components: LosslessJPEGComponents>(
    _ components: Components.Type,
    _ window0: inout EntropyWindow,
    _ window1: inout EntropyWindow,
    _ output: UnsafeMutablePointer<UInt16>,
    _ distance1: Int,
    pair: Int,
    _ sources: LosslessJPEGSources
  ) {
    unsafe sources.pair(components, &window0, output, slot: 0, pair: pair)
    unsafe sources.pair(components, &window1, output + distance1, slot: 1, pair: pair)
  }

  /// A pair of each of three tiles.
  @unsafe @inline(__always)
  private static func turn<Components: LosslessJPEGComponents>(
    _ components: Components.Type,
    _ window0: inout EntropyWindow,
    _ window1: inout EntropyWindow,
    _ window2: inout EntropyWindow,
    _ output: UnsafeMutablePointer<UInt16>,
    _ distances: (Int, Int),
    pair: Int,
    _ sources: LosslessJPEGSources
  ) {
    unsafe sources.pair(components, &window0, output, slot: 0, pair: pair)
    unsafe sources.pair(components, &window1, output + distances.0, slot: 1, pair: pair)
    unsafe sources.pair(components, &window2, output + distances.1, slot: 2, pair: pair)
  }
}
