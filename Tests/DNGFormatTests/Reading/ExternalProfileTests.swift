internal import ColorScience
internal import DNGFormat
internal import RawModel
internal import TIFFContainer
import Testing

@Suite("Camera profiles in files of their own")
struct ExternalProfileTests {
  private static func diagonal(_ values: [Int32]) -> [TIFFSignedRational] {
    [values[0], 0, 0, 0, values[1], 0, 0, 0, values[2]].map { TIFFSignedRational($0, 10) }
  }

  /// A profile with two calibrations: the tags of a DNG under the header of a profile.
  private static func file(
    bigEndian: Bool = false,
    _ adjust: (inout IFDBuilder) -> Void = { _ in }
  ) throws -> [UInt8] {
    var dng = HandmadeDNG()
    dng.byteOrder = bigEndian ? .bigEndian : .littleEndian
    dng.main.set(.uniqueCameraModel, ascii: "Testcam 1")
    dng.main.set(.profileName, ascii: "Studio")
    dng.main.set(.profileCalibrationSignature, ascii: "sig")
    dng.main.set(.calibrationIlluminant1, short: 17)
    dng.main.set(.calibrationIlluminant2, short: 21)
    dng.main.set(.colorMatrix1, signedRationals: diagonal([9, 10, 11]))
    dng.main.set(.colorMatrix2, signedRationals: diagonal([8, 10, 12]))
    dng.main.set(.baselineExposureOffset, signedRationals: [TIFFSignedRational(-1, 4)])
    adjust(&dng.main)
    var bytes = try dng.bytes()
    bytes[2] = UInt8(ascii: bigEndian ? "C" : "R")
    bytes[3] = UInt8(ascii: bigEndian ? "R" : "C")
    return bytes
  }

  @Test(arguments: [false, true])
  func tagsAreThoseOfADNG(bigEndian: Bool) throws {
    let external = try ExternalProfile(try Self.file(bigEndian: bigEndian))
    #expect(external.cameraModel == "Testcam 1")
    #expect(external.profile.name == "Studio")
    #expect(external.profile.baselineExposureOffset == -0.25)
    #expect(external.calibrations.map(\.illuminant) == [17, 21])
    #expect(
      external.calibrations[1].colorMatrix == Matrix3(diagonal: Vector3(0.8, 1, 1.2))
    )
  }

  @Test func filesThatAreNone() throws {
    let file = try Self.file()
    for bytes in [
      [], Array(file.prefix(4)), Array("II*\0".utf8) + Array(file.dropFirst(4)),
      try Self.file {
        $0.remove(.colorMatrix1)
        $0.remove(.colorMatrix2)
      },
    ] {
      #expect(throws: DNGReadError.notProfile) { try ExternalProfile(bytes) }
    }
    // Cut anywhere, it ends in an error or in a profile.
    for count in stride(from: 8, to: file.count, by: 3) {
      _ = try? ExternalProfile(Array(file.prefix(count)))
    }
  }

  /// CameraCalibration is the camera's: it counts for a profile of its signature, wherever that comes from.
  @Test func calibrationsStayTheCameras() throws {
    var dng = HandmadeDNG()
    dng.main.set(.calibrationIlluminant1, short: 17)
    dng.main.set(.cameraCalibration1, signedRationals: Self.diagonal([10, 10, 13]))
    dng.main.set(.cameraCalibrationSignature, ascii: "sig")
    var description = try DNGReader.describe(dng.bytes())
    #expect(description.color.calibrations[0].cameraCalibration == nil)
    description.use(try ExternalProfile(try Self.file()))
    #expect(
      description.color.calibrations[0].cameraCalibration
        == Matrix3(diagonal: Vector3(1, 1, 1.3))
    )
    #expect(description.color.calibrations.count == 2 && description.profile.name == "Studio")
    description.use(
      try ExternalProfile(
        try Self.file { $0.set(.profileCalibrationSignature, ascii: "other") }
      )
    )
    #expect(description.color.calibrations[0].cameraCalibration == nil)
  }
}
