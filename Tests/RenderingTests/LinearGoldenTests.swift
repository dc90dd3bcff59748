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
      "ee4e0e3a2409a6bf55809457f5be5a0ca2c0e6164f207e97dc2ed44ecb1bde72",
      "5e9ff9120e4bc1ce5144febc9b527c4022758318991289b47a2120ba498af905"
    ),
    (
      .bayerPacked14Bit, "422b99e65d8983fafefe697e671a2e8a118207be50ea62febce3aec649c1889f",
      "a30acda9f070a74c9a23c999dca0cba3117a7e2c425d4e0e04e84fda882b00bb"
    ),
    (
      .linearRaw, "465904eba6c1e21b380c2dfe8d4d4218eb5ce74d6c688b35bab144ead0cb720d",
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
