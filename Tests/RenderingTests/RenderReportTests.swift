import Digest
import ImageEncoding
import JSON
import Raster
import Rendering
import Testing

@Suite struct RenderReportTests {
  private static let report = RenderReport(
    inputByteCount: 12_345_678,
    inputSHA256: SHA256.digest(of: [1]),
    size: PixelSize(width: 4000, height: 3000),
    camera: CameraInformation(make: "Example", isoSpeed: 640),
    recipeDigest: SHA256.digest(of: [2]),
    resolvedDigest: SHA256.digest(of: [3]),
    settings: [
      RenderSetting(name: "exposure", value: 0.35, origin: "recipe"),
      RenderSetting(name: "isGamutMappingEnabled", value: true, origin: "default"),
    ],
    skippedOpcodes: ["OpcodeList3 WarpRectilinear"],
    warnings: ["Orientation is 0"],
    pixelVersion: 1,
    engineVersion: "0.1.0",
    sourceRevision: "abc+",
    libraries: [LibraryVersion(name: "libheif", version: "1.15.1")],
    stages: [.init(name: "decode", nanoseconds: 1), .init(name: "encode heic", nanoseconds: 2)],
    outputs: [
      .init(
        id: "heic",
        byteCount: 5,
        size: PixelSize(width: 4000, height: 3000),
        format: .heic,
        colorSpace: .displayP3,
        bitDepth: 8
      )
    ]
  )

  @Test func comesBackFromItsText() throws {
    let text = Self.report.json.bytes(.compact)
    #expect(try RenderReport(json: JSONParser.parse(text)) == Self.report)
  }

  @Test func hasTheFactsOfAProvenanceRow() throws {
    let json = Self.report.json
    #expect(json["pixels"] == 12_000_000)
    #expect(json["inputSHA256"]?.stringValue == SHA256.digest(of: [1]).hex)
    #expect(json["libraryVersions"] == ["libheif": "1.15.1"])
    #expect(json["resolvedSettings"]?["exposure"] == ["value": 0.35, "origin": "recipe"])
    #expect(json["camera"] == ["make": "Example", "isoSpeed": 640])
  }

  @Test(arguments: ["inputSHA256", "outputs", "stages", "width", "pixelVersion"])
  func missingMembersAreNamed(key: String) throws {
    let members = try #require(Self.report.json.objectValue)
    let json = JSONValue.object(members.filter { $0.key != key })
    #expect(throws: JSONError.missingMember(key: key)) { try RenderReport(json: json) }
  }

  @Test func unknownNamesAreRefused() throws {
    let json = Self.report.json.setting(
      "outputs",
      [
        [
          "id": "x", "byteCount": 1, "width": 1,
          "height": 1, "format": "gif", "colorSpace": "displayP3", "bitDepth": 8,
        ]
      ]
    )
    #expect(throws: JSONError.self) { try RenderReport(json: json) }
  }
}
