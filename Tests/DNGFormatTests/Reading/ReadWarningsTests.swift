internal import ColorScience
internal import DNGFormat
internal import RawModel
internal import TIFFContainer
import Testing

/// Tags that break the specification in common ways: read by its defaults, with a warning.
@Suite("Warnings of reading DNG")
struct ReadWarningsTests {
  private static func describe(
    _ dng: HandmadeDNG = HandmadeDNG(),
    _ adjust: (inout IFDBuilder) -> Void
  ) throws -> RawDescription {
    var dng = dng
    adjust(&dng.main)
    let description = try DNGReader.describe(dng.bytes())
    // `inspect` says the same.
    #expect(try DNGReader.inspect(dng.bytes()).warnings == description.warnings)
    return description
  }

  @Test("A sound file has none")
  func sound() throws {
    #expect(try Self.describe { _ in }.warnings.isEmpty)
  }

  @Test("An orientation that is none is 1", arguments: [0, 9, 65_535] as [UInt16])
  func orientation(value: UInt16) throws {
    let description = try Self.describe { $0.set(.orientation, short: value) }
    #expect(description.orientation == .up)
    #expect(description.warnings == ["Orientation (274) in IFD 0 is \(value); read as 1"])
  }

  @Test("Four black levels without dimensions are those of the Bayer cell")
  func blackLevels() throws {
    let description = try Self.describe { $0.set(.blackLevel, shorts: [1, 2, 3, 4]) }
    #expect(description.blackLevel.repeatRows == 2 && description.blackLevel.repeatColumns == 2)
    #expect(description.blackLevel.values == [1, 2, 3, 4])
    #expect(description.warnings.count == 1)
    // With dimensions, and with another number, nothing is guessed.
    #expect(throws: DNGReadError.self) {
      try Self.describe {
        $0.set(.blackLevel, shorts: [1, 2, 3, 4])
        $0.set(.blackLevelRepeatDim, shorts: [1, 1])
      }
    }
    #expect(throws: DNGReadError.self) {
      try Self.describe { $0.set(.blackLevel, shorts: [1, 2, 3]) }
    }
  }

  @Test("One level for three samples is that of each; different ones are refused")
  func oneLevel() throws {
    var dng = HandmadeDNG()
    dng.segments = [Array(repeating: 0, count: 8 * 6 * 3 * 2)]
    dng.main.set(.photometricInterpretation, short: 34_892)
    dng.main.set(.samplesPerPixel, short: 3)
    dng.main.set(.bitsPerSample, shorts: [16, 16, 16])
    dng.main.remove(.cfaPattern)
    let description = try Self.describe(dng) {
      $0.set(.whiteLevel, short: 4000)
      $0.set(.blackLevel, short: 64)
    }
    #expect(description.whiteLevel == [4000, 4000, 4000])
    #expect(description.blackLevel.values == [64, 64, 64])
    #expect(description.warnings.count == 2)
    #expect(throws: DNGReadError.self) {
      try Self.describe(dng) { $0.set(.whiteLevel, shorts: [1, 2]) }
    }
    #expect(throws: DNGReadError.self) {
      try Self.describe(dng) { $0.set(.blackLevel, shorts: [1, 2, 3, 4]) }
    }
  }

  @Test("Damaged capture tags are absent, and the picture is read")
  func captureTags() throws {
    var exif = IFDBuilder()
    exif.set(.photographicSensitivity, type: .short, bytes: [], byteOrder: .littleEndian)
    exif.set(.exposureTime, ascii: "1/60")
    exif.set(.fNumber, rationals: [TIFFRational(28, 10)])
    exif.set(.focalLength, rationals: [TIFFRational(5, 0)])
    exif.set(.lensModel, short: 7)
    exif.set(.dateTimeOriginal, ascii: "2024:01:02 03:04:05")
    let description = try Self.describe {
      $0.set(.exifIFD, directories: [exif])
      $0.set(.make, long: 3)
    }
    let capture = description.capture
    #expect(capture.isoSpeed == nil && capture.exposureTimeSeconds == nil)
    #expect(capture.lensModel == nil && capture.make == nil)
    #expect(capture.focalLengthMillimetres == nil)
    #expect(capture.fNumber == 2.8 && capture.dateTimeOriginal == "2024:01:02 03:04:05")
    // A focal length over 0 says "unknown" by the rules: no warning.
    #expect(description.warnings.count == 4)
    for name in ["PhotographicSensitivity", "ExposureTime", "LensModel", "Make"] {
      #expect(description.warnings.contains { $0.hasPrefix(name) }, "\(name)")
    }
  }

  @Test("Noise, hints and the user's crop are read, and absent where they are damaged")
  func hints() throws {
    let sound = try Self.describe {
      $0.set(.noiseProfile, doubles: [1e-4, 1e-6, 2e-4, 2e-6, 3e-4, 3e-6])
      $0.set(.baselineNoise, rationals: [TIFFRational(3, 2)])
      $0.set(.baselineSharpness, rationals: [TIFFRational(4, 3)])
      $0.set(.bayerGreenSplit, long: 250)
      $0.set(.antiAliasStrength, rationals: [TIFFRational(1, 2)])
      $0.set(.bestQualityScale, rationals: [TIFFRational(2, 1)])
      $0.set(.noiseReductionApplied, rationals: [TIFFRational(0, 0)])
      $0.set(.defaultUserCrop, rationals: [0, 1, 3, 4].map { TIFFRational($0, 4) })
    }
    #expect(sound.warnings.isEmpty)
    #expect(sound.noiseProfile?.planes.count == 3)
    #expect(sound.noiseProfile?[2] == NoiseProfile.Plane(scale: 3e-4, offset: 3e-6))
    #expect(
      sound.hints
        == RenderingHints(
          baselineNoise: 1.5,
          baselineSharpness: 4.0 / 3,
          bayerGreenSplit: 250,
          antiAliasStrength: 0.5,
          bestQualityScale: 2
        )
    )
    #expect(sound.defaultUserCrop == DefaultUserCrop(top: 0, left: 0.25, bottom: 0.75, right: 1))
    let damaged = try Self.describe {
      $0.set(.noiseProfile, doubles: [-1, 0])
      $0.set(.antiAliasStrength, rationals: [TIFFRational(3, 2)])
      $0.set(.baselineNoise, ascii: "low")
      $0.set(.defaultUserCrop, rationals: [0, 3, 3, 2].map { TIFFRational($0, 4) })
    }
    #expect(damaged.noiseProfile == nil && damaged.hints == RenderingHints())
    #expect(damaged.defaultUserCrop == .whole)
    #expect(damaged.warnings.count == 4)
  }

  @Test("Illuminants without a code have their own data")
  func illuminantData() throws {
    let xy: [UInt8] = [0, 0] + [1, 3, 1, 4].flatMap { [$0, 0, 0, 0] }
    let spectrum: [UInt8] =
      [1, 0] + [2, 0, 0, 0] + [44, 1, 0, 0] + [1, 0, 0, 0]
      + [5, 1, 5, 1, 5, 2].flatMap { [$0, 0, 0, 0] }
    let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].map { TIFFSignedRational($0, 1) }
    let description = try Self.describe {
      $0.set(.calibrationIlluminant1, short: 255)
      $0.set(.illuminantData1, undefined: xy)
      $0.set(.colorMatrix2, signedRationals: matrix)
      $0.set(.calibrationIlluminant2, short: 21)
      $0.set(.colorMatrix3, signedRationals: matrix)
      $0.set(.calibrationIlluminant3, short: 255)
      $0.set(.illuminantData3, undefined: spectrum)
    }
    #expect(
      description.color.calibrations.map(\.illuminantData) == [
        .chromaticity(Chromaticity(x: 1.0 / 3, y: 0.25)), nil,
        .spectrum(first: 300, step: 5, powers: [5, 2.5]),
      ]
    )
    #expect(description.warnings.isEmpty)
    let damaged = try Self.describe {
      $0.set(.calibrationIlluminant1, short: 255)
      $0.set(.illuminantData1, undefined: Array(xy.dropLast()))
    }
    #expect(damaged.color.calibrations[0].illuminantData == nil)
    #expect(damaged.warnings.count == 1)
    let missing = try Self.describe { $0.set(.calibrationIlluminant1, short: 255) }
    #expect(missing.warnings.count == 1)
  }
}
