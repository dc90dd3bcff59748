internal import DNGFormat
internal import Raster
internal import RawModel
internal import TIFFContainer
internal import TestSupport
import Testing

@Suite("Decoding lossless JPEG")
struct LosslessJPEGDecoderTests {
  /// Samples of a noisy ramp with now and then a wild value.
  private static func samples(_ shape: LosslessJPEGShape, seed: UInt64) -> [UInt16] {
    var generator = SeededGenerator(seed: seed)
    let top = 1 << shape.precision
    return (0..<shape.sampleCount).map { index in
      if Int.random(in: 0..<20, using: &generator) == 0 {
        return UInt16(Int.random(in: 0..<top, using: &generator))
      }
      let value = index * 3 + Int.random(in: 0..<9, using: &generator)
      return UInt16(value % top)
    }
  }

  private static func decode(
    _ bytes: [UInt8],
    _ shape: LosslessJPEGShape
  ) throws(LosslessJPEGError) -> [UInt16] {
    let decoder = LosslessJPEGDecoder()
    return try decoder.decode(bytes, sampleCount: shape.sampleCount).samples
  }

  private static func failure(_ bytes: [UInt8], _ shape: LosslessJPEGShape) -> LosslessJPEGError? {
    do throws(LosslessJPEGError) {
      _ = try decode(bytes, shape)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "Every predictor, with one to four components, gives the samples back",
    arguments: LosslessJPEGPredictor.allCases,
    1...4
  )
  func predictors(predictor: LosslessJPEGPredictor, components: Int) throws {
    for (columns, rows, precision) in [(13, 9, 16), (1, 5, 12), (6, 1, 2), (301, 3, 14)] {
      let shape = LosslessJPEGShape(
        columns: columns,
        rows: rows,
        components: components,
        precision: precision
      )
      let samples = Self.samples(shape, seed: UInt64(columns))
      var encoder = LosslessJPEGEncoder()
      let stream = try encoder.encode(samples.span, shape: shape, predictor: predictor)
      #expect(try Self.decode(stream, shape) == samples)
      #expect(NaiveLosslessJPEGDecoder(stream).samples == samples.map(Int.init))
      for restartRows in [0, 1, 2] {
        let fixed = FixedTableJPEG(shape: shape, predictor: predictor, restartRows: restartRows)
        #expect(try Self.decode(fixed.stream(samples), shape) == samples, "\(restartRows) lines")
      }
    }
  }

  @Test("Long codes and differences of 31 bits leave the fast way and come back")
  func longCodes() throws {
    let shape = LosslessJPEGShape(columns: 200, rows: 4, components: 2, precision: 16)
    var fixed = FixedTableJPEG(shape: shape)
    // Code lengths 1 to 16, so that the common categories have the longest ones.
    fixed.codeLengths = (0...16).map { max(1, 16 - $0) == 16 ? 16 : 16 - $0 }
    fixed.codeLengths[16] = 16
    fixed.codeLengths[0] = 16
    let samples = Self.samples(shape, seed: 5)
    #expect(try Self.decode(fixed.stream(samples), shape) == samples)
    fixed.codeLengths.reverse()
    #expect(try Self.decode(fixed.stream(samples), shape) == samples)
  }

  @Test("Category 16 has no extra bits")
  func category16() throws {
    let shape = LosslessJPEGShape(columns: 4, rows: 2, components: 1, precision: 16)
    let samples: [UInt16] = [0, 32_768, 0, 32_768, 32_768, 0, 0, 1]
    let stream = FixedTableJPEG(shape: shape).stream(samples)
    #expect(try Self.decode(stream, shape) == samples)
  }

  @Test("At most seven bits may be left at the end of a scan or an interval", arguments: [1, 4])
  func surplus(rows: Int) {
    // All differences are 0 and have codes of 5 bits: 25 in the scan or in each interval.
    let shape = LosslessJPEGShape(columns: 5, rows: rows, components: 1, precision: 8)
    let samples = Array(repeating: UInt16(128), count: shape.sampleCount)
    for (bits, left) in [(0, 7), (7, 7), (8, 15), (100, 103)] {
      let fixed = FixedTableJPEG(shape: shape, restartRows: rows > 1 ? 1 : 0, surplusBits: bits)
      #expect(
        Self.failure(fixed.stream(samples), shape) == (left > 7 ? .entropySurplus(bits: left) : nil)
      )
    }
  }

  @Test("A scan that ends early, without a marker or with another one")
  func ends() {
    let shape = LosslessJPEGShape(columns: 64, rows: 40, components: 1, precision: 14)
    let stream = FixedTableJPEG(shape: shape).stream(Self.samples(shape, seed: 3))
    let cut = Array(stream.dropLast(100))
    #expect(Self.failure(cut, shape) == .missingEndMarker)
    let exhausted = Self.failure(cut + [0xFF, 0xD9], shape)
    #expect((36...39).contains { exhausted == .entropyExhausted(row: $0) })
    var other = stream
    other[other.count - 1] = 0xD3
    #expect(
      Self.failure(other, shape) == .unexpectedMarker(0xD3, offset: stream.count - 2)
    )
    #expect(Self.failure(stream + [0, 0, 0], shape) == nil)
    #expect(Self.failure(stream + [0, 1], shape) == .trailingData(byteCount: 2))
    // Fill bytes may stand before a marker.
    #expect(Self.failure(Array(stream.dropLast(2)) + [0xFF, 0xFF, 0xFF, 0xD9], shape) == nil)
  }

  @Test("A sample of more bits than the precision, and bits that are no code")
  func values() {
    let shape = LosslessJPEGShape(columns: 4, rows: 2, components: 1, precision: 8)
    var samples = Array(repeating: UInt16(100), count: 8)
    samples[5] = 300
    #expect(
      Self.failure(FixedTableJPEG(shape: shape).stream(samples), shape)
        == .sampleOutOfRange(row: 1, precision: 8)
    )
    var stream = FixedTableJPEG(shape: shape).stream(samples)
    let scan = stream.count - 2 - 8
    for index in scan..<stream.count - 2 { stream[index] = 0xFE }
    #expect(Self.failure(stream, shape) == .invalidCode(row: 0))
  }

  @Test("Headers that don't hold together")
  func headers() {
    let shape = LosslessJPEGShape(columns: 4, rows: 2, components: 1, precision: 8)
    let stream = FixedTableJPEG(shape: shape).stream(Array(repeating: 7, count: 8))
    // SOI 2, DHT 2 + 36, SOF3 at 40, SOS at 53.
    func changed(_ index: Int, _ byte: UInt8) -> LosslessJPEGError? {
      var bytes = stream
      bytes[index] = byte
      return Self.failure(bytes, shape)
    }
    #expect(changed(0, 0) == .noStartOfImage)
    #expect(changed(2, 0) == .markerExpected(offset: 2))
    #expect(changed(3, 0xD9) == .unexpectedMarker(0xD9, offset: 2))
    #expect(changed(5, 1) == .segmentLength(marker: 0xC4, offset: 4))
    #expect(changed(4, 0xFF) == .truncatedHeader(offset: 4))
    #expect(changed(6, 0x10) == .invalidField("Huffman table class and number", value: 16))
    #expect(changed(6, 1) == .missingHuffmanTable(0))
    #expect(changed(7, 3) == .segmentLength(marker: 0xC4, offset: 23))
    #expect(changed(23, 1) == .invalidHuffmanTable(0))
    #expect(changed(23, 17) == .invalidHuffmanTable(0))
    #expect(changed(41, 0xC0) == .otherProcess(marker: 0xC0))
    #expect(changed(44, 17) == .invalidField("precision", value: 17))
    #expect(changed(46, 0) == .invalidField("number of lines", value: 0))
    #expect(changed(46, 3) == .sampleCount(frame: 12, tile: 8))
    #expect(changed(49, 5) == .invalidField("component count", value: 5))
    #expect(changed(57, 2) == .invalidField("scan component count", value: 2))
    #expect(changed(58, 9) == .invalidField("scan component", value: 9))
    #expect(changed(60, 0) == .invalidField("predictor", value: 0))
    #expect(changed(60, 8) == .invalidField("predictor", value: 8))
    #expect(changed(62, 1) == .invalidField("point transform", value: 1))
  }

  @Test(
    "Tiles in turn have the samples of their streams, edges cut",
    arguments: [1, 2, 3],
    [1, 2, 3, 4, 7]
  )
  func tiles(components: Int, columns: Int) throws {
    let isLinear = components == 3
    let tile = PixelSize(width: 16, height: 6)
    let size = PixelSize(width: columns * 16 - 5, height: 11)
    var dng = HandmadeDNG(width: size.width, height: size.height)
    dng.useTiles(width: tile.width, height: tile.height)
    dng.main.set(.compression, short: 7)
    if isLinear {
      dng.main.set(.photometricInterpretation, short: 34_892)
      dng.main.set(.samplesPerPixel, short: 3)
      dng.main.set(.bitsPerSample, shorts: [16, 16, 16])
    }
    let perPixel = isLinear ? 3 : 1
    let shape = LosslessJPEGShape(
      columns: tile.width * perPixel / components,
      rows: tile.height,
      components: components,
      precision: 14
    )
    var encoder = LosslessJPEGEncoder()
    let all = (0..<2 * columns).map { Self.samples(shape, seed: UInt64($0)) }
    dng.segments = try all.map { try encoder.encode($0.span, shape: shape) }
    let bytes = try dng.bytes()
    for lanes in [1, 2, 3, 5] {
      let frame = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: lanes))
      for y in 0..<size.height {
        let found = frame.samples.values(ofRow: y).map { UInt16($0) }
        for x in 0..<size.width * perPixel {
          let (tileColumn, column) = x.quotientAndRemainder(dividingBy: tile.width * perPixel)
          let (tileRow, row) = y.quotientAndRemainder(dividingBy: tile.height)
          let expected = all[tileRow * columns + tileColumn][row * tile.width * perPixel + column]
          guard found[x] == expected else {
            Issue.record("\(x), \(y): \(found[x]), not \(expected)")
            return
          }
        }
      }
    }
    // Of two damaged tiles the lower one is named, for any number of lanes.
    for lanes in 1...4 where columns > 1 {
      var broken = dng
      for damaged in [columns - 1, 2 * columns - 1] {
        broken.segments[damaged].removeLast(4)
        broken.segments[damaged] += [0xFF, 0xD9]
      }
      let error = #expect(throws: DNGReadError.self) {
        _ = try DNGReader.read(try broken.bytes(), scheduler: TileScheduler(laneCount: lanes))
      }
      guard case .losslessJPEG(columns - 1, _)? = error else {
        Issue.record("\(lanes) lanes: \(String(describing: error))")
        return
      }
    }
    // A damaged tile is named, whichever place it has in its turn.
    for damaged in dng.segments.indices {
      var broken = dng
      broken.segments[damaged].removeLast(4)
      broken.segments[damaged] += [0xFF, 0xD9]
      let error = #expect(throws: DNGReadError.self) {
        _ = try DNGReader.read(try broken.bytes(), scheduler: TileScheduler(laneCount: 2))
      }
      guard case .losslessJPEG(damaged, _)? = error else {
        Issue.record("\(damaged): \(String(describing: error))")
        return
      }
    }
  }

  /// A frame of three tiles with these streams, 16 by 6 samples a component.
  private static func threeTiles(_ streams: [[UInt8]], components: Int) -> HandmadeDNG {
    let perPixel = components == 3 ? 3 : 1
    let width = components == 2 ? 32 : 16
    var dng = HandmadeDNG(width: 3 * width, height: 6)
    dng.useTiles(width: width, height: 6)
    dng.main.set(.compression, short: 7)
    if perPixel == 3 {
      dng.main.set(.photometricInterpretation, short: 34_892)
      dng.main.set(.samplesPerPixel, short: 3)
      dng.main.set(.bitsPerSample, shorts: [16, 16, 16])
    }
    dng.segments = streams
    return dng
  }

  private static func read(_ dng: HandmadeDNG) throws -> Result<[UInt16], DNGReadError> {
    let bytes = try dng.bytes()
    return Result { () throws(DNGReadError) in
      let frame = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 1))
      return (0..<6).flatMap { y in frame.samples.values(ofRow: y).map { UInt16($0) } }
    }
  }

  /// The rows of the tiles beside each other.
  private static func joined(_ tiles: [[UInt16]]) -> [UInt16] {
    (0..<6).flatMap { row in
      tiles.flatMap { tile in
        let width = tile.count / 6
        return tile[row * width..<(row + 1) * width]
      }
    }
  }

  @Test("Long codes and long differences in turn", arguments: [1, 2, 3])
  func longCodesInTurn(components: Int) throws {
    let shape = LosslessJPEGShape(columns: 16, rows: 6, components: components, precision: 16)
    let all = (0..<3).map { Self.samples(shape, seed: UInt64(20 + $0)) }
    var fixed = FixedTableJPEG(shape: shape)
    for rare in [true, false] {
      // Common categories have the longest codes or the shortest; large differences have 20 to 31 bits.
      fixed.codeLengths = (0...16).map { rare ? min(16, 17 - $0) : min(16, $0 + 1) }
      fixed.codeLengths[rare ? 0 : 16] = 16
      let dng = Self.threeTiles(all.map(fixed.stream), components: components)
      #expect(try Self.read(dng) == .success(Self.joined(all)))
    }
  }

  @Test(
    "Tiles in turn accept what they accept one by one, cut anywhere or changed",
    arguments: [1, 2, 3]
  )
  func damageInTurn(components: Int) throws {
    let shape = LosslessJPEGShape(columns: 16, rows: 6, components: components, precision: 14)
    let all = (0..<3).map { Self.samples(shape, seed: UInt64(30 + $0)) }
    var encoder = LosslessJPEGEncoder()
    let streams = try all.map { try encoder.encode($0.span, shape: shape) }
    let scanByteCount = streams[1].count - FixedTableJPEG.headerByteCount(streams[1]) - 2
    var damaged = (1...scanByteCount).map { Array(streams[1].dropLast(2 + $0)) + [0xFF, 0xD9] }
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<400 {
      var changed = streams[1]
      let place = changed.count - 2 - Int.random(in: 1...scanByteCount, using: &generator)
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      damaged.append(changed)
    }
    var accepted = 0
    for (index, stream) in damaged.enumerated() {
      let found = try Self.read(
        Self.threeTiles([streams[0], stream, streams[2]], components: components)
      )
      do throws(LosslessJPEGError) {
        let samples = try Self.decode(stream, shape)
        accepted += 1
        #expect(found == .success(Self.joined([all[0], samples, all[2]])), "\(index)")
      } catch {
        #expect(found == .failure(.losslessJPEG(tile: 1, error)), "\(index)")
      }
    }
    // Both happen: a changed extra bit leaves a whole stream.
    #expect(accepted > 0 && accepted < 400)
  }

  @Test("A frame may have another shape than its tile")
  func otherShape() throws {
    // Two lines of the tile in one of the frame.
    let shape = LosslessJPEGShape(columns: 16, rows: 3, components: 2, precision: 12)
    let samples = Self.samples(shape, seed: 9)
    var encoder = LosslessJPEGEncoder()
    var dng = HandmadeDNG(width: 16, height: 6)
    dng.main.set(.compression, short: 7)
    dng.segments = [try encoder.encode(samples.span, shape: shape)]
    let frame = try DNGReader.read(try dng.bytes(), scheduler: TileScheduler(laneCount: 1))
    let found = (0..<6).flatMap { y in frame.samples.values(ofRow: y).map { UInt16($0) } }
    #expect(found == samples)
  }
}
