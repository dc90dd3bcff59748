import DNGFormat
import Raster
import RawModel
import TIFFContainer
import Testing

/// Samples whose planes stand apart (PlanarConfiguration 2).
@Suite struct PlanarSamplesTests {
  private static let scheduler = TileScheduler(laneCount: 2)

  /// A LinearRaw of 5 by 4 pixels: a plane's samples are 1,000 times its number and more.
  private static func planar(tiled: Bool) throws -> [UInt8] {
    var dng = HandmadeDNG(width: 5, height: 4)
    dng.main.set(.photometricInterpretation, short: 34_892)
    dng.main.set(.samplesPerPixel, short: 3)
    dng.main.set(.bitsPerSample, shorts: [16, 16, 16])
    dng.main.set(.planarConfiguration, short: 2)
    dng.main.set(.whiteLevel, longs: [4_095, 4_095, 4_095])
    for tag in [TIFFTag.cfaRepeatPatternDim, .cfaPattern] { dng.main.remove(tag) }
    let (width, height) = tiled ? (3, 2) : (5, 3)
    if tiled {
      dng.useTiles(width: width, height: height)
    } else {
      dng.main.set(.rowsPerStrip, long: 3)
    }
    dng.segments = []
    for plane in 0..<3 {
      for top in stride(from: 0, to: 4, by: height) {
        for left in stride(from: 0, to: 5, by: width) {
          var segment: [UInt8] = []
          for y in top..<(tiled ? top + height : min(4, top + height)) {
            for x in left..<left + width {
              let sample = UInt16(value(x, y, plane))
              segment += [UInt8(sample & 255), UInt8(sample >> 8)]
            }
          }
          dng.segments.append(segment)
        }
      }
    }
    return try dng.bytes()
  }

  private static func value(_ x: Int, _ y: Int, _ plane: Int) -> Int {
    1_000 * plane + 16 * y + x
  }

  private static func isRight(_ frame: borrowing RawFrame) -> Bool {
    (0..<4).allSatisfy { y in
      frame.samples.values(ofRow: y)
        == (0..<5).flatMap { x in (0..<3).map { Double(value(x, y, $0)) } }
    }
  }

  @Test(arguments: [true, false]) func planesAreInterleaved(tiled: Bool) throws {
    let source = try Self.planar(tiled: tiled)
    let frame = try DNGReader.read(source, scheduler: Self.scheduler)
    let isRight = Self.isRight(frame)
    #expect(isRight)
    for compression in [DNGOutputSettings.Compression.losslessJPEG, .none, .jpegXL] {
      let copy = try DNGWriter.write(
        frame,
        keeping: DNGOriginal(source),
        settings: DNGOutputSettings(compression: compression, software: "rawmill tests"),
        scheduler: Self.scheduler
      ).bytes()
      let isKept = Self.isRight(try DNGReader.read(copy, scheduler: Self.scheduler))
      #expect(isKept, "\(compression)")
      let planes = try TIFFFile(copy).imageDirectories()[0].integer(.planarConfiguration)
      #expect(planes == 1)
    }
  }

  @Test func eachPlaneHasItsTiles() throws {
    var dng = HandmadeDNG()
    dng.main.set(.photometricInterpretation, short: 34_892)
    dng.main.set(.samplesPerPixel, short: 3)
    dng.main.set(.bitsPerSample, shorts: [16, 16, 16])
    dng.main.set(.planarConfiguration, short: 2)
    let bytes = try dng.bytes()
    #expect {
      _ = try DNGReader.read(bytes, scheduler: Self.scheduler)
    } throws: { error in
      guard case .inconsistentTag = error as? DNGReadError else { return false }
      return true
    }
  }
}
