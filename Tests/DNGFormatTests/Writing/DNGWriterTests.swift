import DNGFormat
import Diagnostics
import Raster
import RawModel
import TIFFContainer
import Testing

@Suite struct DNGWriterTests {
  @Test(arguments: WrittenRaw.all) func bytesDoNotDependOnLanes(raw: WrittenRaw) throws {
    let one = try raw.file(lanes: 1)
    #expect(try raw.file(lanes: 4) == one)
    #expect(Array(one.prefix(4)) == [0x49, 0x49, 42, 0])
  }

  @Test func tileSizesAreMultiplesOfSixteenAndAvoidLibRawsScrambling() {
    for width in 1...2100 {
      for components in 1...3 {
        let tiling = DNGTiling(
          frame: PixelSize(width: width, height: 300),
          components: components
        )
        #expect(tiling.tileSize.width % 16 == 0 && tiling.tileSize.height % 16 == 0)
        #expect(components == 1 || tiling.tileSize.width * components != width)
        #expect(tiling.tileSize.pixelCount <= 160 << 10)
        #expect(width < 32 || tiling.tileSize.width <= width)
        // Every pixel is in a tile and no tile is wholly outside.
        #expect(tiling.columnCount * tiling.tileSize.width >= width)
        #expect((tiling.columnCount - 1) * tiling.tileSize.width < width)
      }
    }
  }

  @Test func samplesOverTheBitDepthAreRefused() throws {
    var raw = WrittenRaw(
      width: 64,
      height: 200,
      layout: .mosaic(.rggb),
      bits: 14,
      encoding: .uncompressed
    )
    var samples = raw.samples()
    samples[150 * 64 + 3] = 1 << 14
    let frame = try raw.frame(samples)
    let metadata = DNGMetadata(software: "test")
    let scheduler = TileScheduler(laneCount: 2)
    #expect(throws: DNGWritingError.sampleOverBitDepth(tile: 2, bitsPerSample: 14)) {
      try DNGWriter.write(frame, encoding: .uncompressed, metadata: metadata, scheduler: scheduler)
    }
    let tiles = DNGEncoding.losslessJPEG(tileSize: PixelSize(width: 64, height: 16))
    #expect(throws: DNGWritingError.sampleOverBitDepth(tile: 9, bitsPerSample: 14)) {
      try DNGWriter.write(frame, encoding: tiles, metadata: metadata, scheduler: scheduler)
    }
    raw.bits = 7
    raw.layout = .linear(planes: 1)
    #expect(
      throws: DNGWritingError.unsupportedBitDepth(
        bitsPerSample: 7,
        compression: "no compression"
      )
    ) {
      try raw.file()
    }
  }

  @Test func opcodeListsAreRefused() throws {
    let raw = WrittenRaw(
      width: 16,
      height: 16,
      layout: .mosaic(.rggb),
      bits: 14,
      encoding: .uncompressed
    )
    var description = raw.rawDescription
    description.opcodeList3 = [
      Opcode(
        operation: .unknown(id: 99),
        isOptional: false,
        isSkippedForPreview: false
      )
    ]
    let frame = RawFrame(
      samples: try Plane(width: 16, height: 16),
      description: description
    )
    #expect(throws: DNGWritingError.opcodesNotWritable) {
      try DNGWriter.write(
        frame,
        encoding: .uncompressed,
        metadata: DNGMetadata(software: "test"),
        scheduler: TileScheduler(laneCount: 1)
      )
    }
  }

  @Test func errorTable() {
    let table: [(DNGWritingError, ErrorCode, Disposition)] = [
      (.sampleOverBitDepth(tile: 1, bitsPerSample: 8), "sampleOverBitDepth", .permanent),
      (
        .unsupportedBitDepth(bitsPerSample: 9, compression: "x"), "unsupportedOutputBitDepth",
        .permanent
      ),
      (
        .unsupportedShape(columns: 0, rows: 1, samplesPerPixel: 1), "unsupportedOutputShape",
        .permanent
      ),
      (.unsupportedSamples(.uint32), "unsupportedOutputSamples", .permanent),
      (.opcodesNotWritable, "opcodesNotWritable", .permanent),
      (.container(.fileTooLarge(byteCount: 1, limit: 0)), "fileTooLarge", .permanent),
      (
        .memory(RasterError.allocationRefused(bytes: 1, limit: 0)), "allocationRefused", .resource
      ),
    ]
    for (error, code, disposition) in table {
      #expect(error.code == code)
      #expect(error.disposition == disposition)
      #expect(!error.message.isEmpty)
    }
  }
}
