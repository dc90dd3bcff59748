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
    #expect(PixelVersion.current == 1)
  }

  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "9f74675ebd3b905e60d1de8cf0ac6238feadf90b9617e4837ce36c7bfec23c29",
      "95d24fac77ef369b3c5ac6ae6193448cf9dcfb09581caee0a38c9b8f78b0b64b"
    ),
    (
      .bayerPacked14Bit,
      "02e30c740a28b53f560dfcd1734f961e9c7426bea31fd03b279c1949ce9c3c94",
      "05cf6017681c8aea001a8f48a22960c531fad053fee9223f371ac3dd2e812ff6"
    ),
    (
      .linearRaw,
      "dc152d60f2310cb001b41b2669475e790ab8f0f754f359db3e4d2b10e7e8fc11",
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
