import DNGFormat
import Raster
import RawModel
import TIFFContainer
import TestSupport
import Testing

/// Mosaics that are no Bayer pattern are stored anew, sample for sample, and refused by name elsewhere.
@Suite struct FilterArrayTests {
  private static let scheduler = TileScheduler(laneCount: 2)
  private static let size = PixelSize(width: 66, height: 45)
  private static let xTrans: [UInt8] = [
    1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1,
    1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
  ]

  struct Array: Sendable, CustomTestStringConvertible {
    let name: String
    let rows: UInt16
    let columns: UInt16
    let colors: [UInt8]
    let planeColors: [UInt8]
    var arrangement: UInt16 = 1

    var testDescription: String { name }
  }

  static let arrays = [
    Array(
      name: "6x6 " + xTrans.map { ["r", "g", "b"][Int($0)] }.joined(),
      rows: 6,
      columns: 6,
      colors: xTrans,
      planeColors: [0, 1, 2]
    ),
    Array(name: "cygm", rows: 2, columns: 2, colors: [3, 5, 1, 4], planeColors: [3, 4, 5, 1]),
    Array(name: "rgcb", rows: 2, columns: 2, colors: [0, 1, 3, 2], planeColors: [0, 1, 2, 3]),
    Array(
      name: "rggb with the planes bgr",
      rows: 2,
      columns: 2,
      colors: [0, 1, 1, 2],
      planeColors: [2, 1, 0]
    ),
    Array(
      name: "staggered",
      rows: 2,
      columns: 2,
      colors: [0, 1, 1, 2],
      planeColors: [0, 1, 2],
      arrangement: 4
    ),
  ]

  /// 12-bit samples in big-endian pairs of bytes, noise over a ramp.
  private static func source(_ array: Array) throws -> [UInt8] {
    var generator = SeededGenerator(seed: 7)
    let strip = (0..<size.pixelCount).flatMap { index -> [UInt8] in
      let sample = UInt16(index % size.width * 50 + Int.random(in: 0..<64, using: &generator))
      return [UInt8(sample >> 8), UInt8(sample & 255)]
    }
    var dng = HandmadeDNG(width: size.width, height: size.height, strip: strip)
    dng.byteOrder = .bigEndian
    dng.main.set(.cfaRepeatPatternDim, shorts: [array.rows, array.columns])
    dng.main.set(.cfaPattern, bytes: array.colors)
    dng.main.set(.cfaPlaneColor, bytes: array.planeColors)
    dng.main.set(.cfaLayout, short: array.arrangement)
    dng.main.set(.whiteLevel, long: 4_095)
    let planes = array.planeColors.count
    dng.main.set(
      .colorMatrix1,
      signedRationals: (0..<3 * planes).map {
        TIFFSignedRational(Int32($0 % 4 == 0 ? 30 : $0 % 4), 7)
      }
    )
    dng.main.set(.asShotNeutral, rationals: (0..<planes).map { _ in TIFFRational(1, 1) })
    return try dng.bytes()
  }

  private static func values(_ frame: borrowing RawFrame) -> [Double] {
    (0..<frame.samples.height).flatMap { frame.samples.values(ofRow: $0) }
  }

  private static func write(
    _ source: [UInt8],
    _ settings: DNGOutputSettings
  ) throws -> (output: DNGOutput, bytes: [UInt8]) {
    let output = try DNGWriter.write(
      DNGReader.read(source, scheduler: scheduler, use: .storage),
      keeping: DNGOriginal(source),
      settings: settings,
      scheduler: scheduler
    )
    return (output, output.bytes())
  }

  @Test("Every coding keeps every sample and what the file says of the array", arguments: arrays)
  func storedAnew(array: Array) throws {
    let source = try Self.source(array)
    let before = Self.values(
      try DNGReader.read(source, scheduler: Self.scheduler, use: .storage)
    )
    for compression in [DNGOutputSettings.Compression.losslessJPEG, .none, .jpegXL] {
      let (output, bytes) = try Self.write(
        source,
        DNGOutputSettings(compression: compression, software: "rawmill tests")
      )
      #expect(output.report.isUnchanged && output.report.leftOut.isEmpty)
      let copy = try DNGReader.read(bytes, scheduler: Self.scheduler, use: .storage)
      #expect(Self.values(copy) == before, "\(compression)")
      let sources = try TIFFFile(source).imageDirectories()
      let copies = try TIFFFile(bytes).imageDirectories()
      for tag in [
        TIFFTag.cfaRepeatPatternDim, .cfaPattern, .cfaPlaneColor, .cfaLayout, .colorMatrix1,
        .asShotNeutral,
      ] {
        let kept = try copies[0].numbers(tag, count: 0...64)
        #expect(try kept == sources[0].numbers(tag, count: 0...64), "\(compression) \(tag)")
      }
      // Storing it once more changes nothing.
      let again = try Self.write(
        bytes,
        DNGOutputSettings(compression: compression, software: "rawmill tests")
      )
      #expect(again.bytes == bytes, "\(compression)")
    }
  }

  @Test("Fewer bits are the nearest codes", arguments: arrays)
  func fewerBits(array: Array) throws {
    let source = try Self.source(array)
    let (output, bytes) = try Self.write(
      source,
      DNGOutputSettings(bitDepth: .integer(9), software: "rawmill tests")
    )
    #expect(output.report.bitsPerSample == 9)
    let copy = try DNGReader.read(bytes, scheduler: Self.scheduler, use: .storage)
    let table = try #require(copy.description.linearizationTable).map { Double($0) }
    let before = Self.values(
      try DNGReader.read(source, scheduler: Self.scheduler, use: .storage)
    )
    for (sample, code) in zip(before, Self.values(copy)) {
      let nearest = table.map { abs($0 - sample) }.min() ?? .infinity
      #expect(abs(table[Int(code)] - sample) == nearest)
    }
  }

  @Test("What needs demosaicing is refused by name", arguments: arrays)
  func development(array: Array) throws {
    let source = try Self.source(array)
    #expect {
      _ = try DNGReader.read(source, scheduler: Self.scheduler)
    } throws: { error in
      switch error as? DNGReadError {
      case .unsupported(.cfaLayout(4)): array.arrangement == 4
      case .unsupported(.colorFilterArray(let text)): text == array.name
      default: false
      }
    }
  }

  @Test("Pixels that are not square are carried along")
  func pixelAspect() throws {
    var dng = HandmadeDNG()
    dng.main.set(.defaultScale, rationals: [TIFFRational(2, 1), TIFFRational(1, 1)])
    let source = try dng.bytes()
    let scale = [2.0, 1]
    #expect(throws: DNGReadError.unsupported(.pixelAspect(horizontal: 2, vertical: 1))) {
      _ = try DNGReader.read(source, scheduler: Self.scheduler)
    }
    let (_, bytes) = try Self.write(source, DNGOutputSettings(software: "rawmill tests"))
    #expect(try TIFFFile(bytes).imageDirectories()[0].numbers(.defaultScale, count: 2...2) == scale)
  }
}
