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
    #expect(PixelVersion.current == 3)
  }

  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "e2c1513d2591027ad7407d325d507fe460a9d5020f0e659bca34db27302e7b82",
      "2eb32c44f969cefc0cef29bc3d530ed76dfc6dc8d11948d6e81e2dc3a327f868"
    ),
    (
      .bayerPacked14Bit,
      "ae12474654a8d76465e0b943d7a51aa1adcb34c5c5ed63b735c5acd798a2af41",
      "70b981b2f6d936824dced90653bfb6a185262fd26be1934f6ef08bcf9d29607d"
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

  /// DNGs whose encoders are the project's own, of fewer bits and demosaiced.
  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "f65585435ad62e513ee7767aec9e7157eb5203bb68aeff060644a33517b4b00c",
      "50b2864a3b667774ffde00afea8a7378c8be15b87e258e5821628131f12c42b2"
    ),
    (
      .bayerPacked14Bit, "af6ba70e9ef2b7efdbe470f2a8cf8c3afbe3c97a1866454c6d29a3a767227cf9",
      "cb9ce56cad63235da57e96d7003187d57e85338204bf18966a98329461e4e176"
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
