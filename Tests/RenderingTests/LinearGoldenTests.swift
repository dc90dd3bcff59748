import Digest
import ImageEncoding
import Raster
import Recipe
import Rendering
import SampleScene
import Testing

/// Samples and records of small linear pictures through the whole engine, on every processor.
///
/// When a digest changes, outputs change: see `RenderingGoldenTests`.
@Suite struct LinearGoldenTests {
  @Test(arguments: [
    (
      SampleFile.bayerLosslessJPEG,
      "0f4e46036e7a92c70d88ca4859e3bb46ed506c574e2de686902dec51f4456b01",
      "5e9ff9120e4bc1ce5144febc9b527c4022758318991289b47a2120ba498af905"
    ),
    (
      .bayerPacked14Bit, "52fbc00379525087fb660fecc7bd8ddb34c68a5e1011ef96f0283624d2bcbe7b",
      "a30acda9f070a74c9a23c999dca0cba3117a7e2c425d4e0e04e84fda882b00bb"
    ),
    (
      .linearRaw, "b545528b9fe297b2adcd52a52efe6034d62a2c32692678d1f6ad6d60119438a8",
      "479af8740af0fe4066047a99ccd68cf64e6bbf482ec05e1a80ba46d97aefd163"
    ),
  ])
  func samples(file: SampleFile, scene: String, normalized: String) throws {
    let settings: [OutputSpecification.LinearSettings] = [
      .init(format: .npy), .init(level: .normalized, format: .npy, sampleFormat: .float16),
    ]
    var recipe = Recipe(
      outputs: settings.enumerated().map { index, settings in
        OutputSpecification(id: "l\(index)", suffix: "_\(index)", format: .linear(settings))
      }
    )
    recipe.develop.exposure = 0.25
    recipe.develop.neutralTemperature = 5200
    let sinks = recipe.files.map { _ in MemorySink() }
    let report = try Renderer.render(
      try file.bytes(
        size: PixelSize(width: 400, height: 300),
        scheduler: TileScheduler(laneCount: 1)
      ),
      recipe: recipe,
      sinks: sinks,
      scheduler: TileScheduler(laneCount: 2)
    )
    #expect(report.outputs[0].linear?.samplesSHA256 == scene)
    #expect(report.outputs[2].linear?.samplesSHA256 == normalized)
  }
}
