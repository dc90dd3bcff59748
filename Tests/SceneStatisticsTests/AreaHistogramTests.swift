import JSON
import Raster
import SceneStatistics
import Testing

@Suite struct AreaHistogramTests {
  /// Pixels as rows of a plane.
  private func plane(_ rows: [[SIMD3<Float>]]) throws -> Plane<Float> {
    var plane = try Plane<Float>(width: 3 * rows[0].count, height: rows.count)
    for (y, row) in rows.enumerated() {
      plane.withMutableRow(y) { samples in
        for (x, pixel) in row.enumerated() {
          for color in 0..<3 { samples[3 * x + color] = pixel[color] }
        }
      }
    }
    return plane
  }

  @Test func binsAreOfEqualWidthAndEndsTakeWhatLiesBeyond() throws {
    // Red: 0, 0.25 (the first of bin 1), 1 (the last bin), beyond both ends.
    let rows: [[SIMD3<Float>]] = [
      [[0, 0.5, 0.5], [0.25, 0.5, 0.5]], [[1, 0.5, 0.5], [0.875, 0.5, 0.5]],
      [[-3, 0.5, 0.5], [7, 0.5, 0.5]], [[9, 9, 9], [9, 9, 9]],
    ]
    var histogram = AreaHistogram(count: 4, scale: 50, luminance: (0.5, 0.25, 0.25))
    // The last row is not counted.
    histogram.add(try plane(rows), rowCount: 3)
    #expect(histogram.pixelCount == 6)
    let red = histogram.channels[0]
    #expect(red.name == "red" && red.bins == [2, 1, 0, 3])
    #expect(red.belowCount == 1 && red.aboveCount == 1 && red.minimum == -3 && red.maximum == 7)
    #expect(histogram.mean(red) == Double((0 + 0.25 as Float) + (1 + 0.875) + (-3 + 7)) / 6)
    #expect(histogram.channels[1].bins == [0, 0, 6, 0])
    // Luminance: 0.25, 0.375, 0.75, 0.6875, -1.25, 3.75.
    let luminance = histogram.channels[3]
    #expect(luminance.name == "luminance" && luminance.bins == [1, 2, 1, 2])
    #expect(luminance.minimum == -1.25 && luminance.maximum == 3.75)
    // The values of each channel sum to the scale.
    for channel in histogram.channels {
      #expect(channel.bins.reduce(0, +) == 6)
      #expect(Double(channel.bins.reduce(0, +)) * histogram.valuePerPixel == 50)
    }
  }

  @Test func bandsAddUpToTheWhole() throws {
    var generator = SystemRandomNumberGenerator()
    let rows = (0..<12).map { _ in
      (0..<33).map { _ in SIMD3<Float>.random(in: -0.5...1.5, using: &generator) }
    }
    var whole = AreaHistogram(count: 37, scale: 1, luminance: (0.2, 0.7, 0.1))
    whole.add(try plane(rows), rowCount: 12)
    var parts = AreaHistogram(count: 37, scale: 1, luminance: (0.2, 0.7, 0.1))
    for part in stride(from: 0, to: 12, by: 5) {
      let band = Array(rows[part..<min(part + 5, 12)])
      parts.add(try plane(band), rowCount: band.count)
    }
    #expect(parts == whole)
    // The naive twin.
    for color in 0..<3 {
      let values = rows.flatMap { $0 }.map { $0[color] }
      for bin in 0..<37 {
        let inside = values.count { value in
          min(max(Int((value * 37).rounded(.down)), 0), 36) == bin
        }
        #expect(whole.channels[color].bins[bin] == inside)
      }
    }
  }

  @Test func nothingHasNoMean() {
    let histogram = AreaHistogram(count: 1, scale: 1, luminance: (0, 1, 0))
    #expect(histogram.valuePerPixel == 0 && histogram.mean(histogram.channels[0]) == nil)
    #expect(JSONValue.object(histogram.json)["channels"]?[0]?["mean"] == .null)
  }
}
