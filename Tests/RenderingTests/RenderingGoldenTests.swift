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
    #expect(PixelVersion.current == 10)
  }

  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "bc0ae30caf4e52b7bdddc948e3953459b07daa06ea47009371072fc8e66e48ce",
      "b0e42eb7fb4301a7144162eba5760d1443f7a430b81d118a3f69bd108619d85c"
    ),
    (
      .bayerPacked14Bit,
      "db2cccf2661c9ce2aea259c63b9ceb56a5f5225890bde25fe1f0fb06ae7275bd",
      "71d119e63acf6206ae32b17b0ddd7d1864ffbe7c3b624bf90e52e8b14e09e609"
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
      "bb66f7a4fd7812167d67ccf85c3dc24d2b920e4c71a45f6027c946986a884897"
    ),
    (.bayerPacked14Bit, "96e298d966dc2ad3c972fa237d2fbc212dc0265daf438845befbad875ff82bd4"),
    (.linearRaw, "a0b3cbbcee01cf26287f966fcec89d817c0548f7732b2ec7318648c652bd7e0a"),
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
