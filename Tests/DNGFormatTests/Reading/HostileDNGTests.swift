internal import DNGFormat
internal import Raster
internal import RawModel
internal import TIFFContainer
import Testing

/// Small files that ask for more than they may, and what must be refused by name.
@Suite struct HostileDNGTests {
  @Test("A scan of narrow lines that ends early is found before reading past its memory")
  func narrowLines() throws {
    let rows = 65_535
    // Two codes, of one and two bits; a 0 bit begins a difference of 16 bits, so that the zeros of the
    // scan give one sample for each two bytes: a sixteenth of what the lines need.
    var stream: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC4, 0, 21, 0, 1, 1]
    stream += Array(repeating: 0, count: 14) + [15, 0]
    stream += [0xFF, 0xC3, 0, 11, 16, 0xFF, 0xFF, 0, 1, 1, 0, 0x11, 0]
    stream += [0xFF, 0xDA, 0, 8, 1, 0, 0, 1, 0, 0]
    stream += Array(repeating: 0, count: rows / 8 + 1) + [0xFF, 0xD9]
    let error = #expect(throws: DNGReadError.self) {
      try Self.read(width: 1, height: rows, compression: 7, stream)
    }
    guard case .losslessJPEG(tile: 0, .entropyExhausted) = error else {
      Issue.record("found \(error.map { "\($0)" } ?? "no error")")
      return
    }
  }

  @Test(
    "An opcode list of thousands is refused before memory is taken for each",
    arguments: [256, 257]
  )
  func manyOpcodes(count: Int) throws {
    var list = [0, 0, UInt8(count >> 8), UInt8(count & 255)]
    // Optional opcodes without data: number 99, DNG 1.3, flags 1.
    for _ in 0..<count { list += [0, 0, 0, 99, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] }
    let strip: [UInt8] = [0, 0]
    func read() throws(DNGReadError) {
      try Self.read(width: 1, height: 1, compression: 1, strip) { main in
        main.set(.opcodeList2, undefined: list)
      }
    }
    guard count > 256 else {
      try read()
      return
    }
    let error = #expect(throws: DNGReadError.self) { try read() }
    guard case .opcodeList(let site, _) = error else {
      Issue.record("found \(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(site.tag == .opcodeList2)
  }

  @Test("Pixels that are not square are refused; a scale that is the same both ways is not")
  func pixelAspect() throws {
    func read(_ horizontal: UInt32, _ vertical: UInt32) throws(DNGReadError) {
      try Self.read(width: 1, height: 1, compression: 1, [0, 0]) { main in
        main.set(
          .defaultScale,
          rationals: [TIFFRational(horizontal, 1), TIFFRational(vertical, 1)]
        )
      }
    }
    try read(2, 2)
    #expect(throws: DNGReadError.unsupported(.pixelAspect(horizontal: 1, vertical: 2))) {
      try read(1, 2)
    }
  }

  @Test(
    "Samples of a lossless JPEG that don't fit BitsPerSample are refused; fewer bits than stated are not"
  )
  func moreBitsThanStated() throws {
    let shape = LosslessJPEGShape(columns: 4, rows: 2, components: 1, precision: 14)
    func error(_ samples: [UInt16]) throws -> DNGReadError? {
      var encoder = LosslessJPEGEncoder()
      let strip = try encoder.encode(samples.span, shape: shape, predictor: .left)
      var dng = HandmadeDNG(width: 4, height: 2, bits: 12, strip: strip)
      dng.main.set(.compression, short: 7)
      let bytes = try dng.bytes()
      do throws(DNGReadError) {
        let frame = try DNGReader.read(bytes, scheduler: TileScheduler(laneCount: 1))
        #expect(frame.samples.values(ofRow: 0) == samples.prefix(4).map { Double($0) })
        return nil
      } catch {
        return error
      }
    }
    #expect(try error([0, 1, 4095, 3, 4, 5, 6, 7]) == nil)
    #expect(
      try error([0, 1, 4095, 3, 4, 5, 4096, 7])
        == .tileSamples(tile: 0, "of 14 bits don't fit the image's 12")
    )
  }

  @Test("A digest of zeros states nothing; another wrong one is found")
  func unstatedDigest() throws {
    func read(_ digest: [UInt8]) throws(DNGReadError) {
      try Self.read(width: 1, height: 1, compression: 1, [7, 0]) { main in
        main.set(.newRawImageDigest, bytes: digest)
      }
    }
    try read(Array(repeating: 0, count: 16))
    let error = #expect(throws: DNGReadError.self) {
      try read(Array(repeating: 0, count: 15) + [1])
    }
    guard case .digestMismatch = error else {
      Issue.record("found \(error.map { "\($0)" } ?? "no error")")
      return
    }
  }

  /// Reads a monochrome raw of 16 bits in one strip, with more tags.
  private static func read(
    width: UInt32,
    height: Int,
    compression: UInt16,
    _ strip: [UInt8],
    _ adjust: (inout IFDBuilder) -> Void = { _ in }
  ) throws(DNGReadError) {
    var main = IFDBuilder()
    main.set(.newSubFileType, long: 0)
    main.set(.imageWidth, long: width)
    main.set(.imageLength, long: UInt32(height))
    main.set(.bitsPerSample, short: 16)
    main.set(.compression, short: compression)
    main.set(.photometricInterpretation, short: 34_892)
    main.set(.samplesPerPixel, short: 1)
    main.set(.rowsPerStrip, long: UInt32(height))
    main.set(.dngVersion, bytes: [1, 4, 0, 0])
    main.set(.orientation, short: 1)
    main.set(.uniqueCameraModel, ascii: "Hostile")
    main.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: [strip.count]
    )
    adjust(&main)
    let layout: TIFFLayout
    do {
      layout = try TIFFWriter.layOut([main])
    } catch {
      throw .exifBlock(error)
    }
    let gap = layout.segmentOffsets[0] - layout.structure.count
    let file = layout.structure + Array(repeating: 0, count: gap) + strip
    _ = try DNGReader.read(file, scheduler: TileScheduler(laneCount: 1))
  }
}
