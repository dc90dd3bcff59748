internal import DNGFormat
internal import Raster
internal import RawModel
internal import SceneStatistics

extension Bench {
  /// From the file to everything that a statistics output measures.
  static let statisticsRaw = Bench(
    name: "statistics.raw",
    summary: "read and decode a raw and measure its planes: exact histograms, noise, balance"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    return Prepared(megapixels: frame.description.size.megapixels) {
      let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
      _ = try SensorStatistics.measure(frame, scheduler: input.scheduler)
    }
  }
}
