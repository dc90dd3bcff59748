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
    #expect(PixelVersion.current == 2)
  }

  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "54dea54c139395f959dd687ccbcdb377b5c695c53a151eafd65429be40eb4fad",
      "95d24fac77ef369b3c5ac6ae6193448cf9dcfb09581caee0a38c9b8f78b0b64b"
    ),
    (
      .bayerPacked14Bit,
      "b1f0ca6da19d2b84f0ef3eb0f4486dcf174a59de923ad71d478f69bbe16c63cc",
      "05cf6017681c8aea001a8f48a22960c531fad053fee9223f371ac3dd2e812ff6"
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
}
