import Digest
import ImageEncoding
import Raster
import Recipe
import Rendering
import SampleScene
import Testing

/// Output bytes of small sample raws through the whole engine, on every processor.
///
/// When a digest changes, outputs change: raise `PixelVersion.current`, and put the new digests and the
/// new version here in the same commit.
@Suite struct RenderingGoldenTests {
  @Test func digestsBelongToThisPixelVersion() {
    #expect(PixelVersion.current == 6)
  }

  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "e737c507f875cb3f78fa58d8d3d4a20489c3e227839796f8be1344305beee521",
      "91ff082e3f1f3990b6c52532f53b60b112bacd4058ca0f6a054b48a1a1f6433f"
    ),
    (
      .bayerPacked14Bit,
      "d83524fef03cccc2c11c8a9375c308e18c43ef9b4d19c9d6e9ff2b6af15f0ff0",
      "e4b28399b3a846fbd7728f6dec42753d8bc6a7e218b1b26c09b5909a0b4ee91c"
    ),
    (
      .linearRaw,
      "8081306c10f1d53f5fec3cc94e3e371ef8738be089ccf4845e132192c87a0313",
      "dd1e68e5a2810faf0f57d4273723d859ee9fc246ab955aed45f3ed09bf867dd4"
    ),
  ])
  func outputBytes(file: SampleFile, tiff: String, heic: String) throws {
    var recipe = Recipe(outputs: [
      OutputSpecification(id: "tiff", format: .tiff(.init())),
      OutputSpecification(id: "heic", format: .heic(.init())),
    ])
    recipe.develop.exposure = 0.25
    recipe.develop.neutralTemperature = 5200
    let sinks = [MemorySink(), MemorySink()]
    _ = try Renderer.render(
      try file.bytes(
        size: PixelSize(width: 400, height: 300),
        scheduler: TileScheduler(laneCount: 1)
      ),
      recipe: recipe,
      sinks: sinks,
      scheduler: TileScheduler(laneCount: 2)
    )
    #expect(SHA256.digest(of: sinks[0].bytes).hex == tiff)
    #expect(SHA256.digest(of: sinks[1].bytes).hex == heic)
  }

  /// Drafts, whose cells come straight from stored codes, with exposure below what is clipped.
  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "8d9cf210e45a19a831897a98b0351fbc0f797202556f34ec75dcc45c03875b46"
    ),
    (.bayerPacked14Bit, "55e66428ac121dd2e5343062d9e8d1e51f658c4aee42214bccc91e12315b9db1"),
    (.linearRaw, "24aac8c9fc414599806f89bbd9b54e9a2002baba85d041f89be18f4896213f3c"),
  ])
  func draftBytes(file: SampleFile, tiff: String) throws {
    var recipe = Recipe(outputs: [OutputSpecification(id: "tiff", format: .tiff(.init()))])
    recipe.develop.isDraftModeEnabled = true
    recipe.develop.exposure = -1
    let sink = MemorySink()
    _ = try Renderer.render(
      try file.bytes(
        size: PixelSize(width: 400, height: 300),
        scheduler: TileScheduler(laneCount: 1)
      ),
      recipe: recipe,
      sinks: [sink],
      scheduler: TileScheduler(laneCount: 2)
    )
    #expect(SHA256.digest(of: sink.bytes).hex == tiff)
  }

  /// DNGs whose encoders are the project's own, of fewer bits and demosaiced.
  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "f65585435ad62e513ee7767aec9e7157eb5203bb68aeff060644a33517b4b00c",
      "01bc4582a09ce79ba129c244628b523108d88752820b1ddef588530552d8e85d"
    ),
    (
      .bayerPacked14Bit, "af6ba70e9ef2b7efdbe470f2a8cf8c3afbe3c97a1866454c6d29a3a767227cf9",
      "e9acfb9e543fb536d7372e2c47d1934220e3a65a73393de5c0ee2ba6be3a1a07"
    ),
    (
      .linearRaw, "fba8cc295af497e32e6224feb2e48d4bda070d719de720f12533fd216494ae36",
      "da968c0800166e65106da84555c6874b0622f48c016810a111a80664bd3377c7"
    ),
  ])
  func dngBytes(file: SampleFile, reduced: String, linear: String) throws {
    let sinks = [MemorySink(), MemorySink()]
    _ = try Renderer.render(
      try file.bytes(
        size: PixelSize(width: 400, height: 300),
        scheduler: TileScheduler(laneCount: 1)
      ),
      recipe: Recipe(outputs: [
        OutputSpecification(id: "dng", format: .dng(.init(bitDepth: .integer(10)))),
        OutputSpecification(id: "linear", format: .dng(.init(compression: .none, linear: true))),
      ]),
      sinks: sinks,
      scheduler: TileScheduler(laneCount: 2)
    )
    #expect(SHA256.digest(of: sinks[0].bytes).hex == reduced)
    #expect(SHA256.digest(of: sinks[1].bytes).hex == linear)
  }
}
