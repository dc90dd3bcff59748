internal import DNGFormat
internal import Raster
internal import RawModel
internal import TIFFContainer
import Testing

/// A file built as Apple's devices build theirs: preview in IFD 0, LinearRaw and masks in SubIFDs.
@Suite("Inspecting a ProRAW")
struct ProRAWInspectionTests {
  private static func bytes() throws -> [UInt8] {
    var preview = IFDBuilder()
    preview.set(.newSubFileType, long: 1)
    preview.set(.imageWidth, long: 16)
    preview.set(.imageLength, long: 12)
    preview.set(.bitsPerSample, shorts: [8, 8, 8])
    preview.set(.samplesPerPixel, short: 3)
    preview.set(.compression, short: 7)
    preview.set(.photometricInterpretation, short: 6)
    preview.set(.dngVersion, bytes: [1, 6, 0, 0])
    preview.set(.dngBackwardVersion, bytes: [1, 4, 0, 0])
    preview.set(.orientation, short: 6)
    preview.set(.uniqueCameraModel, ascii: "iPhone 15 Pro")
    preview.set(.make, ascii: "Apple")
    preview.set(.profileName, ascii: "Apple Embedded Color Profile")
    preview.set(
      .colorMatrix1,
      signedRationals: [1, 0, 0, 0, 1, 0, 0, 0, 1].map { TIFFSignedRational($0, 1) }
    )
    preview.set(.calibrationIlluminant1, short: 21)
    preview.set(.asShotNeutral, rationals: (0..<3).map { _ in TIFFRational(1, 1) })
    preview.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: [4]
    )
    var raw = IFDBuilder()
    raw.set(.newSubFileType, long: 0)
    raw.set(.imageWidth, long: 8)
    raw.set(.imageLength, long: 6)
    raw.set(.bitsPerSample, shorts: [12, 12, 12])
    raw.set(.samplesPerPixel, short: 3)
    raw.set(.compression, short: 7)
    raw.set(.photometricInterpretation, short: 34_892)
    raw.set(.linearizationTable, shorts: (0..<4096).map { UInt16($0 * 16) })
    raw.set(.noiseProfile, doubles: [1e-5, 1e-7])
    raw.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: [4]
    )
    func mask(_ name: String) -> IFDBuilder {
      var mask = IFDBuilder()
      mask.set(.newSubFileType, long: 65_540)
      mask.set(.imageWidth, long: 4)
      mask.set(.imageLength, long: 3)
      mask.set(.bitsPerSample, short: 8)
      mask.set(.compression, short: 7)
      mask.set(.photometricInterpretation, short: 52_527)
      mask.set(.semanticName, ascii: name)
      mask.set(.semanticInstanceID, ascii: "1")
      mask.setImageData(
        offsets: .stripOffsets,
        byteCounts: .stripByteCounts,
        segmentByteCounts: [4]
      )
      return mask
    }
    preview.set(.subIFDs, directories: [raw, mask("sky"), mask("skin")])
    let layout = try TIFFWriter.layOut([preview], byteOrder: .bigEndian)
    var bytes = layout.structure
    for offset in layout.segmentOffsets {
      bytes += Array(repeating: 0, count: offset + 4 - bytes.count)
    }
    return bytes
  }

  @Test("It is recognised, with its table, masks, preview and profile")
  func recognised() throws {
    let inspection = try DNGReader.inspect(Self.bytes())
    #expect(inspection.isAppleProRAW)
    #expect(inspection.raw.bitsPerSample == [12, 12, 12])
    #expect(inspection.linearizationTableCount == 4096)
    #expect(inspection.linearizationTableEnd == 65_520)
    #expect(inspection.largestPreview?.size == PixelSize(width: 16, height: 12))
    let masks = inspection.images.filter { $0.kind == .semanticMask }
    #expect(masks.map(\.semanticName) == ["sky", "skin"])
    #expect(masks.map(\.semanticInstanceID) == ["1", "1"])
    #expect(inspection.profile.name == "Apple Embedded Color Profile")
    #expect(inspection.noiseProfile?[2].scale == 1e-5)
    #expect(inspection.warnings.isEmpty)
  }

  @Test("Extra profiles are listed by name, a damaged list with a warning")
  func extraProfiles() throws {
    // A profile in big-endian order: header, an IFD with ProfileName, its text.
    let name = Array("Portrait".utf8) + [0]
    let profile: [UInt8] =
      [0x4D, 0x4D, 0x43, 0x52, 0, 0, 0, 8] + [0, 1] + [0xC6, 0xF8, 0, 2, 0, 0, 0, 9, 0, 0, 0, 26]
      + [0, 0, 0, 0] + name
    var dng = HandmadeDNG()
    dng.main.set(.extraCameraProfiles, longs: [0])
    let size = try dng.bytes().count
    dng.main.set(.extraCameraProfiles, longs: [UInt32(size)])
    let inspection = try DNGReader.inspect(dng.bytes() + profile)
    #expect(inspection.extraProfileNames == ["Portrait"])
    #expect(inspection.warnings.isEmpty)
    let damaged = try DNGReader.inspect(dng.bytes())
    #expect(damaged.extraProfileNames.isEmpty && damaged.warnings.count == 1)
  }
}
